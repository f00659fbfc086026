# The last run that has the step `root`, which builds on none, and others at one size, the largest such
# size: every step's speed-up. Below it the rates that the last step keeps without each of its ideas, if the run has
# those variants: without_NAME against without_nothing.

function is_default() {
    return of_default_setup() && at("variant") == default_variant[at("run"), at("step")]
}

pass == 1 {
    note_default()
    key = at("run") SUBSEP at("n")
    if (is_default() && at("step") == root)
        serial[key] = at("seconds_median") / at("iterations")
    else if (is_default() && key in serial) {
        largest = at("run") != last_run || at("n") + 0 > largest ? at("n") + 0 : largest
        last_run = at("run")
    }
}

pass == 2 && last_run != "" && at("run") == last_run && of_default_setup() {
    n = at("n") + 0
    if (is_default() && n == largest && !(at("step") in speedup)) {
        step_count = add_once(is_step, steps, step_count, at("step"))
        speedup[at("step")] = at("speedup_serial")
        if (at("speedup_serial") == "")
            speedup[at("step")] = serial[last_run, at("n")] / at("seconds_median") * \
                at("iterations")
        text[at("step")] = short(speedup[at("step")]) " x" star(at("verdict"))
        title = this_machine()
        run_time = at("time_utc")
    }
    if (at("variant") ~ /^without_/ && n >= without_n) {
        if (n > without_n)
            idea_count = split("", rate) # forgets those of smaller sizes
        without_n = n
        idea = substr(at("variant"), length("without_") + 1)
        last_step = at("step")
        rate[idea] = at("rate_gps")
        verdict[idea] = at("verdict")
        if (idea != "nothing")
            ideas[++idea_count] = idea
    }
}

END {
    if (!step_count)
        exit
    sort(steps, step_count)
    add_panel("n = " largest ":  seconds per iteration of " root " over those of each step",
        "speed-up over " root)
    for (k = 1; k <= step_count; k++)
        add_bar(speedup[steps[k]], steps[k], text[steps[k]], 0)
    if (idea_count && rate["nothing"] > 0) {
        add_panel("n = " without_n ":  " last_step " without one of its ideas",
            "rate kept, % of " short(rate["nothing"]) " G/s with all of them")
        # The greatest loss first.
        sort_by(rate, ideas, idea_count)
        for (k = 1; k <= idea_count; k++) {
            idea = ideas[k]
            kept = 100 * rate[idea] / rate["nothing"]
            add_bar(kept, "without " idea,
                sprintf("%.1f%%%s  (%s G/s)", kept, star(verdict[idea]), short(rate[idea])), 0)
        }
    }
    print_bars(title, run_time)
}
