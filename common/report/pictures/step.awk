# `step` and the step it builds on, `before`, in the last run of their problem: seconds per iteration of both
# default variants; a panel a size that both have.

function is_drawn() {
    return at("run") == last_run && of_default_setup() &&
        at("variant") == default_variant[last_run, at("step")] &&
        (at("step") == step || at("step") == before)
}

pass == 1 && of_problem() {
    last_run = at("run")
    note_default()
}

pass == 2 && is_drawn() {
    n = at("n") + 0
    if ((at("step"), n) in seconds)
        next
    seconds[at("step"), n] = at("seconds_median") / at("iterations")
    verdict[at("step"), n] = at("verdict")
    if (at("step") == step)
        speedup[n] = at("speedup_previous")
    size_count = add_once(is_size, sizes, size_count, n)
    title = this_machine()
    run_time = at("time_utc")
}

function add_step(name, n, other,    s) {
    s = seconds[name, n]
    add_bar(s, name, three_digits(s) " s,  " three_digits(1 / s) " iterations/s" \
        star(verdict[name, n]), other)
}

END {
    sort(sizes, size_count)
    for (k = 1; k <= size_count; k++) {
        n = sizes[k]
        if (!((step, n) in seconds) || !((before, n) in seconds))
            continue
        ratio = speedup[n] != "" ? speedup[n] : seconds[before, n] / seconds[step, n]
        add_panel("n = " n ":  " short(ratio) " times as fast", "seconds per iteration")
        add_step(before, n, 1)
        add_step(step, n, 0)
    }
    if (panels)
        print_bars(title, run_time ",  " step " beside " before)
}
