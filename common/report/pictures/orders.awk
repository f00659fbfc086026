# error_kepler05_64 and its like: the error of place over steps per orbit; a block of rows a variant and
# orbit, the orbits of a variant side by side.

END {
    split("kepler05 kepler09", orbit, " ")
    split("0.5 0.9", eccentricity, " ")
    for (v = 1; v <= variant_count; v++)
        for (o = 1; o <= 2; o++)
            for (steps = 1; steps <= 1048576; steps *= 2)
                if (has(variants[v], "error_" orbit[o] "_" steps)) {
                    value = found[variants[v], "error_" orbit[o] "_" steps]
                    rows[v, o] = rows[v, o] steps "\t" value "\n"
                    ends[v, o] = eccentricity[o] "\t" steps "\t" value
                    drawn = 1
                }
    if (drawn)
        print_pairs("#eccentricity\t#steps per orbit\t#error")
}
