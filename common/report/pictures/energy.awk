# |dE / E| at each quarter of a unit of time, soft_quarter_1 ... and bare_quarter_1 ...; a block of rows
# a variant and kind, the kinds of a variant side by side.

END {
    kinds = split("soft bare", kind, " ")
    for (v = 1; v <= variant_count; v++)
        for (s = 1; s <= kinds; s++)
            for (k = 1; has(variants[v], kind[s] "_quarter_" k); k++) {
                value = found[variants[v], kind[s] "_quarter_" k]
                rows[v, s] = rows[v, s] k / 4 "\t" (value < 0 ? -value : value) "\n"
                last[v, s] = value
                drawn = 1
            }
    if (!drawn)
        exit
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++)
        for (s = 1; s <= kinds; s++) {
            # gnuplot does not count a block without rows.
            printf "%s", (v, s) in rows ? rows[v, s] : "NaN\tNaN\n"
            if ((v, s) in rows)
                table = table "#| " variants[v] "\t" (s == 1 ? "softened" : "not softened") "\t" last[v, s] "\n"
            print "\n"
        }
    print "EOD\n#| variant\tsphere\t#dE / E at the end\n" table
    print_heading()
}
