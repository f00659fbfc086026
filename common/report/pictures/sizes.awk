# The rate of one step's default variant at every size, in the last run that has a step at more sizes
# than the three of every record (`main_sizes`); of several such steps the last one.

function is_wanted(    key) {
    key = at("run") SUBSEP at("step")
    return of_default_setup() && at("variant") == default_variant[key]
}

pass == 1 {
    note_default()
    key = at("run") SUBSEP at("step")
    if (!is_wanted() || (key, at("n")) in is_there)
        next
    is_there[key, at("n")] = 1
    if (++size_counts[key] <= 3)
        next
    last_step = at("run") == last_run && last_step > at("step") ? last_step : at("step")
    last_run = at("run")
}

pass == 2 && last_run != "" && at("run") == last_run && at("step") == last_step && is_wanted() {
    n = at("n") + 0
    count = add_once(is_size, sizes, count, n)
    rate[n] = at("rate_gps")
    limit[n] = at("limit_gps")
    text[n] = label(at("rate_gps"))
    heading = at("step") ",  variant " at("variant")
    title = machine()
    run_time = at("time_utc")
}

pass > 3 && count && at("step") == last_step {
    note_other_machine(default_variant[last_run, last_step])
}

END {
    if (!count)
        exit
    sort(sizes, count)
    main_count = split(main_sizes, main, " ")
    print "$rows << EOD"
    for (s = 1; s <= count; s++) {
        n = sizes[s]
        is_main = 0
        for (m = 1; m <= main_count; m++)
            is_main = is_main || main[m] == n
        # 30000 stands so close to 32768 that its value goes one line lower.
        line = s < count && sizes[s + 1] < 1.25 * n ? 2 : 1
        band(last_step, n)
        print n "\t" rate[n] "\t" (limit[n] > 0 ? limit[n] : "NaN") "\t" text[n] "\t" is_main \
            "\t" line "\t" (band_low ? band_low : "NaN") "\t" (band_high ? band_high : "NaN")
    }
    print "EOD"
    print "main_sizes = '" main_sizes "'"
    print "heading = " quoted(heading)
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts) "; band_machines = " quoted(band_machines())
}
