# Read before a picture of what a survey found: facts of `step`, those of the last run that has any. A
# file may hold variants in any order; each keeps the place in which it comes first.

at("step") == step && at("source") == "survey" {
    if (at("run") != survey_run) {
        survey_run = at("run")
        split("", found)
        split("", variants)
        split("", is_variant)
        variant_count = 0
    }
    variant_count = add_once(is_variant, variants, variant_count, at("variant"))
    found[at("variant"), at("name")] = at("value")
}

function has(variant, name) {
    return (variant, name) in found
}

# The first variant that has it, "" if none has.
function first_with(name,    v) {
    for (v = 1; v <= variant_count; v++)
        if (has(variants[v], name))
            return variants[v]
    return ""
}

# Two blocks of rows a variant, rows[v, 1] and rows[v, 2], side by side, with `ends[v, k]`, a line of the table under
# `head`, for each that has any.
function print_pairs(head,    v, k, table) {
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++)
        for (k = 1; k <= 2; k++) {
            # gnuplot does not count a block without rows.
            printf "%s\n\n", (v, k) in rows ? rows[v, k] : "NaN\tNaN\n"
            if ((v, k) in rows)
                table = table "#| " variants[v] "\t" ends[v, k] "\n"
        }
    print "EOD\n#| variant\t" head "\n" table
    print_heading()
}

# What all these pictures are given beside their rows.
function print_heading(    v, names) {
    for (v = 1; v <= variant_count; v++)
        names = names (v > 1 ? " " : "") variants[v]
    print "names = " quoted(names)
    print "machine = " quoted(machine_name ",  run " survey_run)
}
