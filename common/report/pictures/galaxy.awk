# Of a galaxy's rings and shells, a row each: radius, then densities, rotation and Q of the bodies and of
# the model. Of the first variant that has them.

END {
    for (v = 1; v <= variant_count && !has(variants[v], "radius_00"); v++)
        continue
    if (v > variant_count)
        exit
    count = split("radius halo model_halo stellar model_stellar bulge model_bulge disk model_disk" \
        " rotation model_rotation model_circular q model_q", names_of, " ")
    print "$rows << EOD"
    for (k = 0; has(variants[v], sprintf("radius_%02d", k)); k++)
        for (c = 1; c <= count; c++) {
            name = sprintf("%s_%02d", names_of[c], k)
            printf "%s%s", has(variants[v], name) ? found[variants[v], name] : "NaN", c < count ? "\t" : "\n"
        }
    print "EOD"
    table = "#| kpc\t#halo\t#bulge\t#disk\t#rotation, km/s\t#Q\n"
    for (k = 0; has(variants[v], sprintf("radius_%02d", k)); k++)
        if (has(variants[v], sprintf("q_%02d", k)))
            table = table sprintf("#| %.3g\t%.3g\t%.3g\t%.3g\t%.1f\t%.2f\n", value_in("radius", k), value_in("halo", k), \
                value_in("bulge", k), value_in("disk", k), value_in("rotation", k), value_in("q", k))
    printf "%s", table
    print_heading()
}

function value_in(name, k) {
    return found[variants[v], sprintf("%s_%02d", name, k)]
}
