# Every step of N-body at the sizes that most were timed at (chosen.awk): a line a row, the learner's own
# below the solution's, blocks of rows by size and program. Behind them the rates of other machines. Without a
# GPU a step in CUDA C has what it was last estimated for the records' GPU, in the last block.

is_facts && at("name") ~ /^estimated_gps_/ && at("variant") == named_default[at("step")] {
    estimated[at("step")] = at("value")
    estimated_n[at("step")] = substr(at("name"), length("estimated_gps_") + 1)
    estimated_run[at("step")] = at("run")
    gpu = toupper(at("source"))
}

# Widens the axis to hold a value; NaN where there is none.
function within(value) {
    if (!(value > 0))
        return "NaN"
    lowest = lowest == "" || value < lowest ? value + 0 : lowest
    highest = value > highest ? value + 0 : highest
    return value
}

# The band of other machines, on the axis.
function band_within(step, n,    behind, end) {
    behind = band(step, n)
    split(behind, end, "\t")
    if (behind !~ /NaN/) {
        within(end[1])
        within(end[2])
    }
    return behind
}

function add_line(row, step, s, whose,    rate, behind) {
    if (row == "")
        return
    behind = band_within(step, sizes[s])
    rate = within(field(row, "rate_gps"))
    is_drawn[step] = 1
    table = table "#| " step "\t" (whose == "" ? "solution" : "yours") "\t" sizes[s] "\t" rate "\t" \
        field(row, "limit_gps") "\t" field(row, "speedup_serial") "\t" field(row, "first_wrong_decimal") "\t" \
        field(row, "run") "\n"
    block[s, whose] = block[s, whose] y++ "\t" rate "\t" within(field(row, "limit_gps")) "\t" \
        short(rate) star(field(row, "verdict")) "\t" behind "\n"
    if (field(row, "time_utc") > run_time) {
        run_time = field(row, "time_utc")
        title = machine_of(row)
    }
}

function add_estimate(step,    rate) {
    rate = within(estimated[step])
    is_drawn[step] = 1
    table = table "#| " step "\testimated\t" estimated_n[step] "\t" rate "\t\t\t\t" estimated_run[step] "\n"
    estimates = estimates y++ "\t" rate "\tNaN\t" short(rate) ", n = " estimated_n[step] "\t" \
        band_within(step, estimated_n[step]) "\n"
}

END {
    sort(step_list, step_count)
    sort(machines, machine_count)
    size_count = ladder_sizes(sizes)
    for (k = 1; k <= step_count; k++) {
        step = step_list[k]
        first = y
        for (s = 1; is_nbody(step) && s <= size_count; s++) {
            add_line(chosen("", step, "solution", sizes[s]), step, s, "")
            add_line(chosen("", step, "student", sizes[s]), step, s, ", yours")
        }
        if (is_nbody(step) && !(step in is_drawn) && step in estimated)
            add_estimate(step)
        if (!(step in is_drawn))
            continue
        tics = tics (tics == "" ? "" : ", ") "\"" step "\" " (first + y - 1) / 2
        borders = borders " " y - 0.25
        y += 0.5
    }
    if (tics == "")
        exit
    print "$rows << EOD"
    for (s = 1; s <= size_count; s++)
        for (k = 0; k < 2; k++)
            if ((s, whose = k ? ", yours" : "") in block) {
                print block[s, whose] "\n"
                names = names " \"n = " sizes[s] whose "\""
                places = places " " s - 10 * k
            }
    printf "%s", estimates
    print "EOD\n#| step\tprogram\t#n\t#G/s\t#limit, G/s\t#× serial\t#first wrong decimal\t" "run\n" table
    print "set ytics scale 0 noenhanced (" tics ")"
    print "lines = " y "; names = '" names "'; places = '" places "'; borders = '" borders "'"
    if (title == "")
        title = "no step of these was timed"
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "estimated_for = " quoted(estimates == "" ? "" : gpu)
    print "lowest = " lowest "; highest = " highest
    print "verdicts = " quoted(verdicts) "; band_machines = " quoted(band_machines())
}
