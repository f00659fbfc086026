# Thread scaling of a step's default variant in the last run that has one; a block of rows a size,
# and a second set of rows with the times of its two loops, by the step's own clock.

function is_scaling(    key) {
    key = at("run") SUBSEP at("step")
    return (scaled_step == "" || at("step") == scaled_step) && drawable() && at("variant") == default_variant[key] &&
        at("distribution") == default_distribution[key]
}

function seconds_an_iteration() {
    return at("seconds_median") / at("iterations")
}

pass == 1 {
    note_default()
    if (!is_scaling())
        next
    key = at("run") SUBSEP at("step") SUBSEP at("n") + 0
    if (at("threads") == 1)
        alone[key] = seconds_an_iteration()
    else
        several[key] = 1
    if (key in alone && key in several) {
        last_run = at("run")
        last_step = at("step")
    }
}

pass == 2 && FNR == 2 {
    scaled_step = last_step
}

pass == 2 && last_run != "" && at("run") == last_run && is_scaling() {
    key = last_run SUBSEP scaled_step SUBSEP at("n") + 0
    if (!(key in alone) || !(key in several))
        next
    size_count = add_once(is_size, sizes, size_count, at("n") + 0)
    rows++
    size[rows] = at("n") + 0
    threads[rows] = at("threads")
    axis_count = add_once(is_axis, axis, axis_count, at("threads") + 0)
    speedup[rows] = alone[key] / seconds_an_iteration()
    text[rows] = label(speedup[rows])
    title = this_machine()
    run_time = at("time_utc")
}

# Names end in size and threads, force_seconds_n30000_t16. The default's figures come before those of
# other sizes and thread counts: the first one counts.
pass == 3 && last_run != "" && at("run") == last_run && at("step") == scaled_step &&
match(at("name"), /^(force|position)_seconds_n/) {
    name = substr(at("name"), 1, RLENGTH - 2)
    if ((at("variant"), name) in loop)
        next
    loop[at("variant"), name] = at("value")
    loop_count = add_once(is_loop, loops, loop_count, at("variant"))
}

END {
    if (!rows)
        exit
    sort(sizes, size_count)
    print "$rows << EOD"
    for (s = 1; s <= size_count; s++) {
        for (r = 1; r <= rows; r++)
            if (size[r] == sizes[s]) {
                printf "%s\t%s\t%s\n", threads[r], speedup[r], text[r]
                table = table "#| " sizes[s] "\t" threads[r] "\t" text[r] "\n"
            }
        print "\n"
        names = names (s > 1 ? " " : "") sizes[s]
    }
    print "EOD"
    printf "#| #n\t#threads\t#times as fast as one thread\n%s", table
    print "$loops << EOD"
    for (k = 1; k <= loop_count; k++) {
        position = loop[loops[k], "position_seconds"]
        total = position + loop[loops[k], "force_seconds"]
        if (total > 0)
            printf "%d\t%.9g\t%s\t%.2g%% = %s ms\n", bars++, 100 * position / total, loops[k],
                100 * position / total, short(1000 * position)
    }
    print "EOD"
    # From the most threads down, as far as the figures have room.
    sort(axis, axis_count)
    for (k = axis_count; k >= 1; k--)
        if (tics == "" || axis[k] * 1.3 <= last_tic) {
            last_tic = axis[k]
            tics = axis[k] (tics == "" ? "" : ", ") tics
        }
    print "set xtics (" tics ")"
    print "scaled_step = " quoted(scaled_step)
    print "sizes = '" names "'; bars = " bars + 0
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts)
}
