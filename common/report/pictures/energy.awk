# |dE / E| at each quarter of a unit of time, soft_quarter_1 ... and bare_quarter_1 ...; a block of rows
# a variant and kind, the kinds of a variant side by side.

END {
    split("soft bare", kind, " ")
    split("softened;not softened", sphere, ";")
    for (v = 1; v <= variant_count; v++)
        for (s = 1; s <= 2; s++)
            for (k = 1; has(variants[v], kind[s] "_quarter_" k); k++) {
                value = found[variants[v], kind[s] "_quarter_" k]
                rows[v, s] = rows[v, s] k / 4 "\t" (value < 0 ? -value : value) "\n"
                ends[v, s] = sphere[s] "\t" value
                drawn = 1
            }
    if (drawn)
        print_pairs("sphere\t#dE / E at the end")
}
