# The places path_x_000, path_y_000 ... of one body relative to the other; a block of rows a variant.
# The orbit begins at the pericentre, so the first place tells the eccentricity.

END {
    for (v = 1; v <= variant_count; v++)
        if (has(variants[v], "path_x_000"))
            drawn = 1
    if (!drawn)
        exit
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++) {
        for (k = 0; has(variants[v], sprintf("path_x_%03d", k)); k++)
            print found[variants[v], sprintf("path_x_%03d", k)] "\t" found[variants[v], sprintf("path_y_%03d", k)]
        table = table "#| " variants[v] "\t" k "\t" found[variants[v], sprintf("path_x_%03d", k - 1)] "\t" \
            found[variants[v], sprintf("path_y_%03d", k - 1)] "\n"
        print "\n"
    }
    print "EOD\n#| variant\t#places\t#x at the end\t#y at the end\n" table
    print "eccentricity = 1 - " found[variants[1], "path_x_000"]
    print_heading()
}
