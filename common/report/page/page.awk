# The page's sections, from the files that chosen.awk reads; each is left out where it would be empty.

"when" in column && FNR > 1 {
    # The last prediction counts, but one that came late replaces none that was made before.
    if (!((at("step"), "when") in guess) || at("when") == "before" || guess[at("step"), "when"] != "before") {
        guess[at("step"), "speedup"] = at("speedup")
        guess[at("step"), "limit"] = at("limit")
        guess[at("step"), "when"] = at("when")
    }
    guessed_count = add_once(is_guessed, guessed, guessed_count, at("step"))
}

is_facts && at("name") ~ /^trace_/ {
    traced[place, at("step")] = at("variant")
}

is_facts && place == "" && at("name") ~ /^ceiling_/ {
    ceiling_count = add_once(is_ceiling, ceilings, ceiling_count, at("name"))
}

is_record && place == "" {
    run_count = add_once(is_run, runs, run_count, at("run"))
    rows_of[at("run")]++
    began[at("run")] = at("run") in began ? began[at("run")] : at("time_utc")
    commit[at("run")] = at("commit")
    steps_of[at("run")] += !((at("run"), at("step")) in counted)
    counted[at("run"), at("step")] = 1
    if (at("time_utc") > ended) # rows of an older run may stand last
        ended = at("time_utc")
    if (at("variant") == named_default[at("step")] || !((at("step"), at("source")) in last_row))
        last_row[at("step"), at("source")] = $0
    for (k = 1; k <= 6; k++)
        note_property(property[k])
    note_fastest()
}

BEGIN {
    split("host cpu gpu driver compiler threads", property, " ")
    while ((getline line <ENVIRON["units"]) > 0) {
        split(line, word, "\t")
        unit_named[word[1]] = word[2]
    }
}

function note_property(name,    value) {
    value = at(name)
    if (value == "" || (name, value) in has_value)
        return
    has_value[name, value] = 1
    values[name] = values[name] (values[name] == "" ? "" : ", ") value
}

# Of every unit the fastest accepted program of the course or the learner.
function note_fastest(    unit) {
    unit = unit_of(at("problem"))
    if (at("clock") != (unit == "interactions" ? "referee" : "device") || at("verdict") !~ /^accepted/ ||
        at("variant") ~ /^(without|peer)_/ || at("rate_gps") <= 0)
        return
    fastest_count = add_once(is_unit, units, fastest_count, unit)
    if (at("rate_gps") + 0 > field(fastest[unit], "rate_gps") + 0)
        fastest[unit] = $0
}

function unit_of(problem) {
    return problem in unit_named ? unit_named[problem] : "interactions"
}

# "interaction", of a step.
function one_of(step,    unit) {
    unit = unit_of(problem_of[step])
    sub(/s$/, "", unit)
    return unit
}

# The row of a step that stands for a machine: of bodies at the size that most steps were timed at, else
# at the largest there is.
function best(machine, step, whose,    n, found, row) {
    if (is_nbody(step) && (row = chosen(machine, step, whose, usual_size(machine))) != "")
        return row
    for (n in sizes_kept)
        if (n + 0 > found && chosen(machine, step, whose, n) != "")
            found = n + 0
    return found ? chosen(machine, step, whose, found) : ""
}

function usual_size(machine,    n, count, most) {
    if (machine in usual)
        return usual[machine]
    for (n in sizes_kept) {
        count = steps_at(machine, n)
        if (count > most || (count == most && n + 0 > usual[machine])) {
            most = count
            usual[machine] = n + 0
        }
    }
    return usual[machine]
}

function processor(row) {
    return field(row, field(row, "backend") == "cuda" ? "gpu" : "cpu")
}

# Other machines that have a step, one for each kind of processor, into `recorded`; their number.
function find_recorded(step,    k, row, kind, seen, count) {
    split("", seen)
    if ((row = best("", step, "solution")) != "")
        seen[processor(row)] = 1
    for (k = 1; k <= machine_count; k++) {
        if ((row = best(machines[k], step, "solution")) == "")
            continue
        kind = processor(row)
        if (kind in seen)
            continue
        seen[kind] = 1
        recorded[++count] = row
        recorded_on[count] = machines[k]
    }
    return count
}

# What an element takes of memory, by the row's limit.
function bytes_of(machine, row) {
    return field(row, "limit_name") == "gpu_memory" && field(row, "limit_gps") > 0 ? \
        ceiling_of(machine, row, "gpu_memory") / 1e9 / field(row, "limit_gps") : 0
}

function share(row) {
    return field(row, "limit_share") > 0 ? percent(field(row, "limit_share")) : ""
}

# A row of a table: of bodies with its size and the step before, else with its input and bytes.
function step_line(machine, step, program, row,    rate, bytes) {
    if (row == "")
        return ""
    rate = field(row, "rate_gps")
    if (rate == "")
        was_unrated = 1
    if (is_nbody(step))
        return step "\t" program "\t" field(row, "n") "\t" rate "\t" share(row) "\t" \
            field(row, "speedup_previous") "\t" field(row, "verdict") "\n"
    bytes = bytes_of(machine, row)
    return step "\t" program "\t" field(row, "n") (field(row, "distribution") == "" ? "" : ", " \
        field(row, "distribution")) "\t" rate "\t" \
        (bytes > 0 ? short(bytes * rate) : "") "\t" share(row) "\t" field(row, "verdict") "\n"
}

# Other authors' programs, at the size and on the input of the course's own.
function peer_lines(machine, step, row,    k, text) {
    for (k = 1; k <= peer_count && row != ""; k++)
        text = text step_line(machine, step, substr(peers[k], 6), chosen(machine, step, peers[k], field(row, "n")))
    return text
}

# The lines of the steps of N-body, or of the others: the course's own program, the learner's below it,
# peers and other machines. What was checked and not timed has no rate.
function step_lines(of_nbody,    s, k, step, row, yours, own, text, count) {
    for (s = 1; s <= step_count; s++) {
        step = step_list[s]
        if (is_nbody(step) != of_nbody)
            continue
        row = best("", step, "solution")
        yours = best("", step, "student")
        own = ""
        for (k = 1; k <= size_count && of_nbody; k++)
            own = own step_line("", step, "solution", chosen("", step, "solution", sizes[k])) \
                step_line("", step, "yours", chosen("", step, "student", sizes[k]))
        text = text own
        if (own == "")
            text = text step_line("", step, "solution", row == "" ? last_row[step, "solution"] : row) \
                step_line("", step, "yours", yours == "" ? last_row[step, "student"] : yours)
        text = text peer_lines("", step, row)
        count = find_recorded(step)
        for (k = 1; k <= count; k++)
            text = text step_line(recorded_on[k], step, "on " recorded_on[k], recorded[k]) \
                peer_lines(recorded_on[k], step, recorded[k])
    }
    return text
}

# Cost per unit of work, by the manifest, and what a machine's measured ceilings allow at that; below it
# what `make trace` counts.
function print_costs(step, machine, row,    count, word, k, ceiling, text, name, value, what) {
    count = split(cost_of[step], word, " ")
    for (k = 2; k < count; k += 2) {
        name = word[k] (word[k] ~ /^gpu_/ ? "" : "_" field(row, "threads"))
        ceiling = row == "" ? fact[machine, "", "", "ceiling_" name] : ceiling_of(machine, row, name)
        text = text resource(word[k]) "\t" word[k + 1] "\t" (ceiling > 0 ? with_unit(ceiling, "per s") : "") "\t" \
            (ceiling > 0 && word[k + 1] ~ /^[0-9.]+$/ ? short(ceiling / word[k + 1] / 1e9) : "") "\n"
    }
    split("global_bytes_per_" one_of(step) " shared_bytes_per_" one_of(step) \
        " varied_sectors_per_request shared_wavefronts_per_request", name_of_count, " ")
    split("bytes of global memory;bytes of shared memory;sectors per request whose lanes differ;" \
        "wavefronts per request", what, ";")
    for (k = 1; k <= 4; k++)
        if ((value = trace_of(step, "trace_" name_of_count[k])) != "")
            text = text what[k] " (make trace, " (traced_on == "" ? "here" : traced_on) ")\t" value "\t\t\n"
    if (text != "")
        print_table("cost-" step, "Cost per " one_of(step) (word[1] == "counted" ? ", counted in the machine code" : \
            ", by the formula") (row == "" ? "" : ", and what " (machine == "" ? "this machine" : machine) " allows"), \
            "resource\t#cost\t#ceiling\t#allows, G/s\n" text)
}

function print_step(step,    own, yours, count, k, text, machine, row, shown) {
    own = best("", step, "solution")
    yours = best("", step, "student")
    count = find_recorded(step)
    print "<article id=\"step-" step "\"><h3>" h(step) "</h3>"
    paragraph(title_of[step], "idea")
    if (own != "")
        text = rate_sentences(step, own, "solution")
    else {
        if (builds_on[step] != "")
            text = memory_sentences(step, builds_on[step])
        if (yours == "" && last_row[step, "solution"] != "")
            text = text check_sentence(last_row[step, "solution"])
    }
    paragraph(text)
    if (yours != "")
        paragraph("Yours: " rate_sentences(step, yours, "student") (own != "" && field(own, "n") == field(yours, "n") ? \
            "That is " percent(field(yours, "rate_gps") / field(own, "rate_gps")) " of the solution’s rate." : ""))
    else if (last_row[step, "student"] != "")
        paragraph("Yours: " check_sentence(last_row[step, "student"]))
    text = ""
    for (k = 1; k <= count; k++)
        text = text "Recorded on " recorded_on[k] ": " short(field(recorded[k], "rate_gps")) " G/s at n = " \
            field(recorded[k], "n") (share(recorded[k]) == "" ? "" : ", " share(recorded[k]) " of its limit, " \
            resource(field(recorded[k], "limit_name"))) ". "
    paragraph(text)
    machine = own == "" && count ? recorded_on[1] : ""
    print_costs(step, machine, own == "" && count ? recorded[1] : own)
    for (k = 1; k <= drawn_count; k++)
        if (names[k] ~ "(^|-)(step|variants|decimals|curves|orbits|energy|orders|galaxy|errors|timeline)-" substr(step, 1, 2) "(-|$)") {
            if (!shown++)
                print "<details><summary>Pictures of this step</summary>"
            figure(names[k])
        }
    print (shown ? "</details>" : "") "</article>"
}

function prediction_lines(    k, step, row, text) {
    sort(guessed, guessed_count)
    for (k = 1; k <= guessed_count; k++) {
        step = guessed[k]
        row = best("", step, "student")
        if (row == "")
            row = best("", step, "solution")
        text = text step "\t" guess[step, "speedup"] "\t" (row == "" ? "" : field(row, "speedup_previous")) "\t" \
            (row == "" ? "" : field(row, "source") == "student" ? "yours" : "solution") "\t" \
            resource(guess[step, "limit"]) "\t" (row == "" ? "" : resource(field(row, "limit_name"))) "\t" \
            guess[step, "when"] "\n"
    }
    return text
}

function summary(    k, row, text, step) {
    for (k = 1; k <= fastest_count; k++) {
        row = fastest[units[k]]
        step = field(row, "step")
        paragraph((k == 1 ? "Fastest accepted program" : "Fastest") " by " units[k] " per second: " step ", variant " \
            field(row, "variant") (field(row, "source") == "student" ? " (yours), " : " (the solution), ") \
            short(field(row, "rate_gps")) " G/s at n = " field(row, "n") \
            (field(row, "speedup_serial") > 0 && builds_on[step] != "" ? ", " times(field(row, "speedup_serial")) \
            " as fast as " root_of(step) " in the same run" : "") \
            (share(row) == "" ? "" : ", " share(row) " of its measured limit") ".")
    }
    if (!fastest_count)
        paragraph("This record has verdicts and no rates: nothing was timed.")
}

function root_of(step) {
    return builds_on[step] == "" ? step : root_of(builds_on[step])
}

function print_machine(    k, text, name) {
    begin_section("machine", "The machine")
    for (k = 1; k <= 6; k++)
        if (values[property[k]] != "")
            text = text property[k] "\t" values[property[k]] "\n"
    print_table("machine-table", "What the rows of this record say of the machine", "property\tvalue\n" text)
    text = ""
    for (k = 1; k <= ceiling_count; k++) {
        name = ceilings[k]
        text = text resource(name) "\t" with_unit(fact["", "", "", name], unit_of_ceiling[name]) "\t" \
            fact["", "", "", name] "\n"
    }
    if (text != "")
        print_table("ceilings-table", "What it can do at most, measured when a run began", \
            "resource\t#measured\t#as recorded\n" text)
    text = ""
    for (k = 1; k <= run_count; k++)
        text = text runs[k] "\t" began[runs[k]] "\t" rows_of[runs[k]] "\t" steps_of[runs[k]] "\t" commit[runs[k]] "\n"
    print_table("runs-table", "Runs", "run\tbegan\t#rows\t#steps\tcommit\n" text)
    print "</section>"
}

# A section with one picture and what it says.
function picture_section(name, heading, text) {
    if (!(name in drawn))
        return
    begin_section(name, heading)
    paragraph(text)
    figure(name)
    print "</section>"
}

END {
    sort(step_list, step_count)
    sort(machines, machine_count)
    size_count = ladder_sizes(sizes)
    print "<h1>N-body on " h(ENVIRON["machine"]) "</h1>"
    sub(/T/, " ", ended)
    sub(/:[0-9][0-9]Z$/, " UTC", ended)
    paragraph(values["cpu"] " · " (values["gpu"] == "" ? "no GPU" : values["gpu"]) " · measured until " ended, "note")
    summary()

    begin_section("ladder", "The steps")
    figure("ladder")
    if ((text = step_lines(1)) != "")
        print_table("rates-table", "Forces between bodies: 10⁹ interactions per second", \
            "step\tprogram\t#n\t#G/s\t#share of limit\t#× step before\tverdict\n" text)
    if ((text = step_lines(0)) != "")
        print_table("primitives-table", "Other problems: 10⁹ interactions, elements, keys or nonzeros per second, without copies " \
            "to and from the GPU", "step\tprogram\t#n, input\t#G/s\t#GB/s\t#share of limit\tverdict\n" text)
    if (was_unrated)
        paragraph("A row without a rate was checked and not timed: without a GPU, CUDA C runs on the CPU " \
            "(cpucuda), which shows whether it is right and says nothing of its speed. make bench of one step " \
            "estimates that for an H200, where nvcc is: a hollow mark above.", "note")
    print "</section>"

    begin_section("steps", "Step by step")
    for (k = 1; k <= step_count; k++)
        print_step(step_list[k])
    print "</section>"

    picture_section("roofline", "Roofline by issue slots", "An instruction takes an issue slot. The GPU issues so many " \
        "per second and no more: a step that needs fewer per interaction moves to the left, under a higher limit. The " \
        "distance to the line is what waiting and copying cost.")
    picture_section("intensity", "Roofline by level of memory", "Each step has a point per level: the more instructions " \
        "it executes per byte of a level, the farther it is to the right. The step that is on a slanted line is bound by " \
        "that level, the one near the horizontal line by issue. docs/concepts/roofline.md says how to read it.")
    picture_section("crossing", "A tree and all pairs", "A tree costs about n, all pairs cost n squared, without copies " \
        "to and from the GPU. Below the crossing all pairs are the faster program. docs/concepts/beyond-pairs.md has more.")
    if ("predicted" in drawn || guessed_count) {
        begin_section("predictions", "Predicted and measured")
        figure("predicted")
        if (guessed_count)
            print_table("predictions-table", "Your predictions beside what was measured", "step\t#your speed-up\t" \
                "#measured\twhose\tyour limit\tmeasured limit\tmade\n" prediction_lines())
        print "</section>"
    }
    picture_section("closing", "Speed-up, and leaving one idea out", "What an idea gives depends on what is there " \
        "already: where the last step lacks one idea, nothing else changes.")
    picture_section("sizes", "Rate over n", "Few bodies do not fill a GPU. The rate rises with n until it is full.")
    picture_section("scaling", "Threads")
    picture_section("devices", "Several GPUs")
    picture_section("copies", "Copies")
    print_machine()
}
