# The default variant of every step in the record's last run; a block of rows a size.

pass == 1 {
    last_run = at("run")
    note_default()
}

pass == 2 && at("run") == last_run && of_default_setup() &&
at("variant") == default_variant[last_run, at("step")] {
    step_count = add_once(is_step, steps, step_count, at("step"))
    size_count = add_once(is_size, sizes, size_count, at("n") + 0)
    rows++
    step[rows] = at("step")
    size[rows] = at("n") + 0
    rate[rows] = at("rate_gps")
    limit[rows] = at("limit_gps")
    text[rows] = label(at("rate_gps"))
    title = machine()
    run_time = at("time_utc")
}

END {
    if (!rows)
        exit
    sort(steps, step_count)
    sort(sizes, size_count)
    print "$rows << EOD"
    for (s = 1; s <= size_count; s++) {
        for (k = 1; k <= step_count; k++)
            for (r = 1; r <= rows; r++)
                if (size[r] == sizes[s] && step[r] == steps[k])
                    print k "\t" rate[r] "\t" (limit[r] > 0 ? limit[r] : "NaN") "\t" text[r]
        print "\n"
    }
    print "EOD"
    for (k = 1; k <= step_count; k++) {
        lines = gsub(/_/, "\\n", steps[k]) + 1
        tic_lines = lines > tic_lines ? lines : tic_lines
        tics = tics (k > 1 ? ", " : "") "\"" steps[k] "\" " k
    }
    for (s = 1; s <= size_count; s++)
        names = names (s > 1 ? " " : "") sizes[s]
    print "set xtics (" tics ")"
    print "steps = " step_count "; tic_lines = " tic_lines "; sizes = '" names "'"
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts)
}
