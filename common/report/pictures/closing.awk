# The run and the size at which most steps were timed beside `root`, which builds on none; of several the last:
# every step's speed-up. Below it the rates that the last step keeps without each of its ideas, in the last run with
# such variants: without_NAME against without_nothing.

pass == 1 {
    note_default()
    key = at("run") SUBSEP at("n")
    if (is_default() && at("step") == root)
        serial[key] = at("seconds_median") / at("iterations")
    else if (is_default() && key in serial && !((key, at("step")) in timed)) {
        timed[key, at("step")] = 1
        if (++timed_count[key] >= timed_count[fullest])
            fullest = key
    }
}

pass == 2 && at("run") SUBSEP at("n") == fullest && is_default() && !(at("step") in speedup) {
    step_count = add_once(is_step, steps, step_count, at("step"))
    speedup[at("step")] = at("speedup_serial")
    if (at("speedup_serial") == "")
        speedup[at("step")] = serial[fullest] / at("seconds_median") * at("iterations")
    text[at("step")] = short(speedup[at("step")]) " x" star(at("verdict"))
    size = at("n")
    title = this_machine()
    run_time = at("time_utc")
}

pass == 2 && at("variant") ~ /^without_/ && of_default_setup() {
    if (at("run") != without_run || at("n") + 0 > without_n)
        idea_count = split("", rate) # forgets those of other runs and smaller sizes
    else if (at("n") + 0 < without_n)
        next
    without_run = at("run")
    without_n = at("n") + 0
    idea = substr(at("variant"), length("without_") + 1)
    last_step = at("step")
    rate[idea] = at("rate_gps")
    verdict[idea] = at("verdict")
    if (idea != "nothing")
        ideas[++idea_count] = idea
}

END {
    if (!step_count)
        exit
    sort(steps, step_count)
    add_panel("n = " size ":  seconds per iteration of " root " over those of each step",
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
