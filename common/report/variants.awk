# All variants of the CPU steps in the last run that has more than one of a step, at the size that
# has most of them; a block of rows a step.

pass == 1 {
    note_default()
    if (!of_default_setup() || at("backend") != "cpu")
        next
    key = at("run") SUBSEP at("step")
    if (!((key, at("variant")) in is_variant)) {
        is_variant[key, at("variant")] = 1
        if (++variants[key] > 1)
            last_run = at("run")
    }
    at_size[at("run"), at("n")]++
}

pass == 2 && last_run != "" && at("run") == last_run && of_default_setup() &&
at("backend") == "cpu" {
    if (at_size[last_run, at("n")] > most) {
        most = at_size[last_run, at("n")]
        chosen = at("n")
    }
    step_count = add_once(is_step, steps, step_count, at("step"))
    rows++
    size[rows] = at("n")
    step[rows] = at("step")
    variant[rows] = at("variant")
    rate[rows] = at("rate_gps")
    text[rows] = label(at("rate_gps"))
    # The default comes first, so that its rate is known to the rows after it.
    key = at("step") SUBSEP at("n")
    if (!(key in base))
        base[key] = at("rate_gps")
    ratio[rows] = at("rate_gps") / base[key]
    title = machine()
    run_time = at("time_utc")
}

END {
    if (!rows)
        exit
    sort(steps, step_count)
    print "$rows << EOD"
    for (k = 1; k <= step_count; k++) {
        place = 0
        for (r = 1; r <= rows; r++)
            if (step[r] == steps[k] && size[r] == chosen) {
                printf "%d\t%s\t%s\t%s  (%s x)\n", place++, rate[r], variant[r], text[r],
                    short(ratio[r])
                longest = length(variant[r]) > longest ? length(variant[r]) : longest
            }
        if (place) {
            print "\n"
            names = names " " steps[k]
            bars = bars " " place
        }
    }
    print "EOD"
    print "steps = '" names "'; bars = '" bars "'; size = '" chosen "'; longest = " longest
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts)
}
