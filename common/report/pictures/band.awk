# What other machines' records, read after the record's own files, say of the same step and size.
# Read before every picture's own script.

# Keeps the row if it is of `variant`, the step's default in the drawn record. The last row counts,
# but one without errors, which is there for a comparison only, replaces none that has them.
function note_other_machine(variant,    name, key) {
    note_default()
    if (at("variant") != variant || !of_default_setup())
        return
    name = FILENAME
    gsub(/.*\/|\.csv$/, "", name)
    key = name SUBSEP at("step") SUBSEP at("n") + 0
    if (at("error_p99") == "" && (key in judged))
        return
    if (at("error_p99") != "")
        judged[key] = 1
    other_rate[key] = at("rate_gps") + 0
    if (!(name in is_other)) {
        is_other[name] = 1
        others[++other_count] = name
    }
}

# Sets band_low and band_high to the least and the greatest rate of the other machines, to nothing
# where none has the step at this size.
function band(step, n,    k, key) {
    band_low = band_high = ""
    for (k = 1; k <= other_count; k++) {
        key = others[k] SUBSEP step SUBSEP n
        if (!(key in other_rate))
            continue
        in_band[others[k]] = 1
        if (band_low == "" || other_rate[key] < band_low)
            band_low = other_rate[key]
        if (band_high == "" || other_rate[key] > band_high)
            band_high = other_rate[key]
    }
}

# The names of the machines that some band was of.
function band_machines(    k, names) {
    for (k = 1; k <= other_count; k++)
        if (others[k] in in_band)
            names = names (names == "" ? "" : ", ") others[k]
    return names
}
