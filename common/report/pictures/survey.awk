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

# What all these pictures are given beside their rows.
function print_heading(    v, names) {
    for (v = 1; v <= variant_count; v++)
        names = names (v > 1 ? " " : "") variants[v]
    print "names = " quoted(names)
    print "machine = " quoted(machine_name ",  run " survey_run)
}
