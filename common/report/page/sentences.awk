# What is said of a step's rows in sentences.

# "Global traffic fell 216 times against that of the step before, to 0.056 B per interaction."
function traffic(step, before, name, what,    here, there, ratio, unit) {
    unit = "B per " one_of(step)
    here = trace_of(step, name)
    there = trace_of(before, name)
    if (here == "" || there == "" || here == there)
        return ""
    if (there == 0)
        return what " is " short(here) " " unit ", where " before " had none. "
    if (here == 0)
        return what " is gone; " before " had " short(there) " " unit ". "
    ratio = there / here
    if (ratio < 1.25 && ratio > 0.8)
        return ""
    return what (ratio > 1 ? " fell " times(ratio) : " rose " times(1 / ratio)) " against " before ", to " \
        short(here) " " unit ". "
}

# A count of cpucuda's, made here, else on another machine: it does not depend on the machine.
function trace_of(step, name,    k, place) {
    for (k = 0; k <= machine_count; k++) {
        place = k ? machines[k] : ""
        if ((place, step) in traced && (place, step, traced[place, step], name) in fact) {
            traced_on = place
            return fact[place, step, traced[place, step], name] + 0
        }
    }
    return ""
}

# The rate, beside that of the step before in the same run, and what limits it.
function rate_sentences(step, row, source,    before, text, row_before, slots, slots_before) {
    before = builds_on[step]
    row_before = before == "" ? "" : chosen("", before, "solution", field(row, "n"))
    if (row_before == "" && before != "")
        row_before = best("", before, best("", before, "solution") == "" ? "student" : "solution")
    text = short(field(row, "rate_gps")) " G/s at n = " field(row, "n") \
        (field(row, "backend") == "cpu" && field(row, "threads") > 1 ? " with " field(row, "threads") " threads" : "")
    if (field(row, "speedup_previous") > 0)
        text = text ": " times(field(row, "speedup_previous")) " as fast as " before " in the same run"
    text = text ". "
    if (source == "solution" && before != "")
        text = text memory_sentences(step, before)
    if (row_before != "") {
        slots = slots_of(row, source)
        from = slots_from
        slots_before = slots_of(row_before, "solution")
        if (slots != "" && slots_before != "" && from == slots_from &&
            (slots / slots_before < 0.98 || slots / slots_before > 1.02))
            text = text "Instructions per interaction " (slots < slots_before ? "fell" : "rose") " from " \
                short(slots_before) " to " short(slots) ". "
    }
    if (field(row, "limit_gps") > 0)
        text = text "The limit is " (row_before == "" ? "" : \
            field(row_before, "limit_name") == field(row, "limit_name") ? "still " : "now ") \
            resource(field(row, "limit_name")) ", of which it uses " percent(field(row, "limit_share")) ". "
    if (field(row, "verdict") !~ /^accepted/)
        text = text "Its results are rejected (" word_of(row) ")" \
            (field(row, "verdict") ~ /:expected/ ? ", as the course expects. " : ". ")
    return text
}

function word_of(row,    word) {
    split(field(row, "verdict"), word, ":")
    return word[1]
}

function memory_sentences(step, before) {
    return traffic(step, before, "trace_global_bytes_per_" one_of(step), "Global traffic") \
        traffic(step, before, "trace_shared_bytes_per_" one_of(step), "Traffic of shared memory")
}

function check_sentence(row) {
    return (field(row, "backend") == "cpucuda" ? "Run on the CPU (cpucuda)" : "Not timed") ": its results were " \
        (field(row, "verdict") ~ /^accepted/ ? "accepted." : "rejected (" word_of(row) ")" \
        (field(row, "verdict") ~ /:expected/ ? ", as the course expects." : ".")) " "
}
