# Which rows count: of every step the default variant, with the distribution that the record has first
# and the threads that its run used first, by machine, program (solution, student, or a peer's variant), clock and size; of
# these the last one, but one without errors, which is there for a comparison only, replaces none that
# has them. For scripts that read, in any order but with the drawn record before others, predictions, records
# and their facts.

BEGIN { list_steps() }

function list_steps(    step) {
    for (step in problem_of)
        step_count = add_once(is_step, step_list, step_count, step)
}

# The machine of the file that is read; "" is the one whose record is drawn.
function machine_of_file(    name) {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/(-facts)?[.]csv$/, "", name)
    if (!has_own)
        own = name
    has_own = 1
    return name == own ? "" : name
}

FNR == 2 {
    is_record = "rate_gps" in column
    is_facts = "value" in column
    place = is_record || is_facts ? machine_of_file() : ""
    if (is_record)
        for (name in column)
            column_of_record[name] = column[name]
}

is_facts {
    fact[place, at("step"), at("variant"), at("name")] = at("value")
    if (at("name") ~ /^ceiling_/) {
        fact_of_run[place, at("run"), at("name")] = at("value")
        if (place == "")
            unit_of_ceiling[at("name")] = at("unit")
    }
}

is_record {
    step_count = add_once(is_step, step_list, step_count, at("step"))
    if (!(at("step") in problem_of))
        problem_of[at("step")] = at("problem")
    keep_row(at("variant") ~ /^peer_/ ? at("variant") : at("source"))
}

function keep_row(whose,    setup, key) {
    if (at("variant") ~ /^without_/)
        return
    if (place == "" && whose !~ /^peer_/ && !((at("step"), whose) in first_variant))
        first_variant[at("step"), whose] = at("variant")
    if (at("seconds_median") <= 0 || at("rate_gps") <= 0 || at("backend") == "cpucuda")
        return
    if (place != "" && at("source") != "solution")
        return
    if (place != "")
        machine_count = add_once(is_machine, machines, machine_count, place)
    if (whose ~ /^peer_/)
        peer_count = add_once(is_peer, peers, peer_count, whose)
    if (place == "")
        has_rows[at("step"), at("variant")] = 1
    if (at("clock") == "device")
        by_device[at("step")]
    if (!((place, at("step"), at("clock")) in distribution_of))
        distribution_of[place, at("step"), at("clock")] = at("distribution")
    setup = place SUBSEP at("run") SUBSEP at("step") SUBSEP at("variant") SUBSEP whose SUBSEP at("clock")
    if (!(setup in threads_of))
        threads_of[setup] = at("threads")
    if (threads_of[setup] != at("threads") ||
        distribution_of[place, at("step"), at("clock")] != at("distribution"))
        return
    key = place SUBSEP at("step") SUBSEP (whose ~ /^peer_/ ? "" : at("variant")) SUBSEP whose SUBSEP \
        at("clock") SUBSEP at("n") + 0
    if (at("error_p99") == "" && (key in judged))
        return
    if (at("error_p99") != "")
        judged[key] = 1
    kept[key] = $0
    sizes_kept[at("n") + 0] = 1
}

# A step's default variant: the manifest's, or the record's first if none of that was timed.
function default_of(step, whose) {
    if (((step, named_default[step]) in has_rows) || !((step, whose) in first_variant))
        return named_default[step]
    return first_variant[step, whose]
}

# The row that counts, "" if there is none.
function chosen(machine, step, whose, n,    key, variant) {
    variant = whose ~ /^peer_/ ? "" : default_of(step, machine == "" ? whose : "solution")
    key = machine SUBSEP step SUBSEP variant SUBSEP whose SUBSEP clock_of(step) SUBSEP n
    return key in kept ? kept[key] : ""
}

function is_nbody(step) {
    return problem_of[step] ~ /^nbody/
}

# Bodies are timed with their copies; other problems' passes without, where a device timed them.
function clock_of(step) {
    return is_nbody(step) || !(step in by_device) ? "referee" : "device"
}

# A column of a row that was kept.
function field(row, name,    cell) {
    split(row, cell, ",")
    return cell[column_of_record[name]]
}

# How many steps of N-body were timed at a size.
function steps_at(machine, n,    s, count) {
    for (s = 1; s <= step_count; s++)
        count += is_nbody(step_list[s]) && (chosen(machine, step_list[s], "solution", n) != "" ||
            chosen(machine, step_list[s], "student", n) != "")
    return count + 0
}

# The sizes, at most three, that at least half of the steps of N-body were timed at which were timed at
# all; into `list`, rising.
function ladder_sizes(list,    n, s, found, timed, most) {
    split("", list)
    for (n in sizes_kept)
        if ((timed[n] = steps_at("", n)) > most)
            most = timed[n]
    for (n in timed)
        if (timed[n] && 2 * timed[n] >= most)
            list[++found] = n + 0
    sort(list, found)
    for (s = 1; found > 3 && s <= 3; s++)
        list[s] = list[found - 3 + s]
    return found > 3 ? 3 : found
}

# What a row was held against: of its run, or of the one whose ceilings the run took over.
function ceiling_of(machine, row, name) {
    name = "ceiling_" name
    return (machine, field(row, "run"), name) in fact_of_run ? fact_of_run[machine, field(row, "run"), name] : \
        fact[machine, "", "", name]
}

# Issue slots per interaction: as ncu counts them, else those that the row's limit was made with.
function slots_of(row, source,    slots, ceiling) {
    slots = fact["", field(row, "step"), field(row, "variant"), "ncu_slots"]
    slots_from = "executed (ncu)"
    if (source == "solution" && slots != "")
        return slots
    slots_from = "in the machine code"
    ceiling = ceiling_of("", row, "gpu_issue")
    return field(row, "limit_name") == "gpu_issue" && field(row, "limit_gps") > 0 && ceiling > 0 ? \
        ceiling / 1e9 / field(row, "limit_gps") : ""
}

# What other machines have of a step at a size: the least and the greatest rate, with a tab between;
# NaN where there is none.
function band(step, n,    k, row, rate, low, high) {
    low = high = "NaN"
    for (k = 1; k <= machine_count; k++) {
        if ((row = chosen(machines[k], step, "solution", n)) == "")
            continue
        in_band[machines[k]] = 1
        rate = field(row, "rate_gps") + 0
        low = low == "NaN" || rate < low ? rate : low
        high = high == "NaN" || rate > high ? rate : high
    }
    return low "\t" high
}

# The names of the machines that some band was of.
function band_machines(    k, names) {
    for (k = 1; k <= machine_count; k++)
        if (machines[k] in in_band)
            names = names (names == "" ? "" : ", ") machines[k]
    return names
}

function machine_of(row) {
    return field(row, "host") ":  " field(row, "cpu") (field(row, "gpu") == "" ? "" : "  +  " field(row, "gpu"))
}
