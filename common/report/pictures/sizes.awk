# The rate of a step's default variant at every size (chosen.awk): of the last step of N-body that was
# timed at more sizes than the three of every record (`main_sizes`). Behind it the rates of other
# machines.

END {
    sort(step_list, step_count)
    sort(machines, machine_count)
    for (k = 1; k <= step_count; k++) {
        size_count = 0
        for (n in sizes_kept)
            size_count += is_nbody(step_list[k]) && chosen("", step_list[k], "solution", n) != ""
        if (size_count > 3)
            step = step_list[k]
    }
    if (step == "")
        exit
    for (n in sizes_kept)
        if (chosen("", step, "solution", n) != "")
            sizes[++count] = n + 0
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
        row = chosen("", step, "solution", n)
        rate = field(row, "rate_gps")
        limit = field(row, "limit_gps")
        print n "\t" rate "\t" (limit > 0 ? limit : "NaN") "\t" \
            short(rate) star(field(row, "verdict")) "\t" is_main "\t" line "\t" band(step, n)
        table = table "#| " n "\t" rate "\t" limit "\t" field(row, "limit_share") "\t" field(row, "verdict") "\n"
        if (field(row, "time_utc") > run_time) {
            run_time = field(row, "time_utc")
            title = machine_of(row)
        }
    }
    print "EOD"
    printf "#| #n\t#G/s\t#limit, G/s\t#share of limit\tverdict\n%s", table
    print "main_sizes = '" main_sizes "'"
    print "heading = " quoted(step ",  variant " default_of(step, "solution"))
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts) "; band_machines = " quoted(band_machines())
}
