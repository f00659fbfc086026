# error_kepler05_64 and its like: the error of place over steps per orbit; a block of rows a variant and
# orbit, the orbits of a variant side by side.

END {
    orbits = split("kepler05 kepler09", orbit, " ")
    for (v = 1; v <= variant_count; v++)
        for (o = 1; o <= orbits; o++)
            for (steps = 1; steps <= 1048576; steps *= 2)
                if (has(variants[v], "error_" orbit[o] "_" steps)) {
                    value = found[variants[v], "error_" orbit[o] "_" steps]
                    rows[v, o] = rows[v, o] steps "\t" value "\n"
                    last[v, o] = value
                    most[v, o] = steps
                    drawn = 1
                }
    if (!drawn)
        exit
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++)
        for (o = 1; o <= orbits; o++) {
            # gnuplot does not count a block without rows.
            printf "%s", (v, o) in rows ? rows[v, o] : "NaN\tNaN\n"
            if ((v, o) in rows)
                table = table "#| " variants[v] "\t" (o == 1 ? 0.5 : 0.9) "\t" most[v, o] "\t" last[v, o] "\n"
            print "\n"
        }
    print "EOD\n#| variant\t#eccentricity\t#steps per orbit\t#error\n" table
    print_heading()
}
