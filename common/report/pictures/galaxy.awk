# Of a galaxy's rings and shells, a row each: radius, then densities, rotation and Q of the bodies and of
# the model, of the first variant that has them; then those of the same bodies after so many `years`, where
# they were moved.

END {
    if ((variant = first_with("radius_00")) == "")
        exit
    count = split("radius halo model_halo stellar model_stellar bulge model_bulge disk model_disk" \
        " rotation model_rotation model_circular q model_q", names_of, " ")
    later = split("halo stellar bulge disk rotation q", names_later, " ")
    print "$rows << EOD"
    for (k = 0; has(variant, sprintf("radius_%02d", k)); k++) {
        for (c = 1; c <= count; c++)
            printf "%s%s", (c > 1 ? "\t" : ""), value_or_nan(variant, names_of[c], k)
        for (c = 1; c <= later; c++)
            printf "\t%s", value_or_nan("moved", names_later[c], k)
        print ""
    }
    print "EOD"
    printf "million_years = %.3g\n", found["moved", "years"] / 1e6
    table = "#| kpc\t#halo\t#bulge\t#disk\t#rotation, km/s\t#Q\n"
    for (k = 0; has(variant, sprintf("radius_%02d", k)); k++)
        if (has(variant, sprintf("q_%02d", k)))
            table = table sprintf("#| %.3g\t%.3g\t%.3g\t%.3g\t%.1f\t%.2f\n", value_in("radius", k), value_in("halo", k), \
                value_in("bulge", k), value_in("disk", k), value_in("rotation", k), value_in("q", k))
    printf "%s", table
    print_heading()
}

function value_or_nan(variant, name, k) {
    name = sprintf("%s_%02d", name, k)
    return has(variant, name) ? found[variant, name] : "NaN"
}

function value_in(name, k) {
    return found[variant, sprintf("%s_%02d", name, k)]
}
