# The default variant of every step in the ladder's last run; a block of rows a size. A size that
# only one of several steps was timed at is left out: the last step's rate over n has a picture of
# its own.

pass == 1 && of_problem() {
    last_run = at("run")
    note_default()
}

pass == 2 && at("run") == last_run && of_default_setup() &&
at("variant") == default_variant[last_run, at("step")] {
    if ((at("n") + 0, at("step")) in drawn)
        next
    drawn[at("n") + 0, at("step")] = 1
    steps_at[at("n") + 0]++
    step_count = add_once(is_step, steps, step_count, at("step"))
    size_count = add_once(is_size, sizes, size_count, at("n") + 0)
    rows++
    step[rows] = at("step")
    size[rows] = at("n") + 0
    rate[rows] = at("rate_gps")
    limit[rows] = at("limit_gps")
    verdict[rows] = at("verdict")
    title = machine()
    run_time = at("time_utc")
}

pass > 3 && (last_run, at("step")) in default_variant {
    note_other_machine(default_variant[last_run, at("step")])
}

# Widens the axis to hold a value; NaN where there is none.
function within(value) {
    if (!(value > 0))
        return "NaN"
    lowest = lowest == "" || value < lowest ? value + 0 : lowest
    highest = value > highest ? value + 0 : highest
    return value
}

END {
    if (!rows)
        exit
    sort(steps, step_count)
    sort(sizes, size_count)
    for (s = 1; s <= size_count; s++)
        if (step_count == 1 || steps_at[sizes[s]] > 1)
            sizes[++rungs] = sizes[s]
    print "$rows << EOD"
    for (s = 1; s <= rungs; s++) {
        for (k = 1; k <= step_count; k++)
            for (r = 1; r <= rows; r++)
                if (size[r] == sizes[s] && step[r] == steps[k]) {
                    band(steps[k], sizes[s])
                    print k "\t" rate[r] "\t" within(limit[r]) "\t" \
                        short(rate[r]) star(verdict[r]) "\t" \
                        within(band_low) "\t" within(band_high)
                    within(rate[r])
                }
        print "\n"
    }
    print "EOD"
    for (k = 1; k <= step_count; k++) {
        lines = gsub(/_/, "\\n", steps[k]) + 1
        tic_lines = lines > tic_lines ? lines : tic_lines
        tics = tics (k > 1 ? ", " : "") "\"" steps[k] "\" " k
    }
    for (s = 1; s <= rungs; s++)
        names = names (s > 1 ? " " : "") sizes[s]
    print "set xtics (" tics ")"
    print "steps = " step_count "; tic_lines = " tic_lines "; sizes = '" names "'"
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "lowest = " lowest "; highest = " highest
    print "verdicts = " quoted(verdicts) "; band_machines = " quoted(band_machines())
}
