# `step` and the step it builds on, `before`, in the last run that has both at a size: seconds per iteration of
# both default variants; a panel a size.

function is_drawn() {
    return is_default() && (at("step") == step || at("step") == before)
}

pass == 1 && of_problem() {
    note_default()
    if (is_drawn()) {
        n = at("n") + 0
        timed[at("run"), n, at("step")] = 1
        if ((at("run"), n, step) in timed && (at("run"), n, before) in timed)
            run_of[n] = at("run")
    }
}

pass == 2 && is_drawn() {
    n = at("n") + 0
    if (at("run") != run_of[n] || (at("step"), n) in seconds)
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
        ratio = speedup[n] != "" ? speedup[n] : seconds[before, n] / seconds[step, n]
        add_panel("n = " n ":  " short(ratio) " times as fast", "seconds per iteration")
        add_step(before, n, 1)
        add_step(step, n, 0)
    }
    if (panels)
        print_bars(title, run_time ",  " step " beside " before)
}
