# Seconds of all forces on n bodies, kernel-only: by the walk of a tree, of the drawn record, a line per
# distribution; and of all pairs, at each n the fastest default variant, of the same record or, if it has none, of
# others with such a GPU. Where two lines cross, by a straight line between sizes on logarithmic axes.

is_record && at("clock") == "device" && at("source") == "solution" && at("seconds_median") > 0 {
    if (at("problem") ~ /^nbody/ || (at("problem") == "walk" && place == "")) {
        step_of[++timed] = at("step")
        variant_of[timed] = at("variant")
        line_of[timed] = at("problem") == "walk" ? "tree, " at("distribution") : "all pairs"
        size_of[timed] = at("n") + 0
        time_of[timed] = at("seconds_median") / at("iterations")
        gpu_of[timed] = place == "" && at("problem") != "walk" ? "own" : at("gpu")
        has_pairs = has_pairs || gpu_of[timed] == "own"
    }
    if (at("problem") == "walk" && place == "") {
        title = this_machine()
        run_time = at("time_utc")
        gpu = at("gpu")
    }
}

# A later row of a tree replaces an earlier one.
function add(line, n, value) {
    line_count = add_once(is_line, lines, line_count, line)
    size_count = add_once(is_size, sizes, size_count, n)
    if (line != "all pairs" || !((line, n) in seconds) || value < seconds[line, n])
        seconds[line, n] = value
}

# Where `line` falls below all pairs, between sizes that both have; "" if nowhere.
function crossing(line,    s, n, before, after, last) {
    for (s = 1; s <= size_count; s++) {
        n = sizes[s]
        if (!((line, n) in seconds) || !(("all pairs", n) in seconds))
            continue
        after = log(seconds["all pairs", n] / seconds[line, n])
        if (last && before < 0 && after >= 0)
            return exp(log(last) + log(n / last) * before / (before - after))
        before = after
        last = n
    }
    return ""
}

END {
    for (k = 1; k <= timed; k++)
        if (variant_of[k] == default_of(step_of[k], "solution") &&
            (line_of[k] != "all pairs" || gpu_of[k] == (has_pairs ? "own" : gpu)))
            add(line_of[k], size_of[k], time_of[k])
    if (line_count < 2 || !is_line["all pairs"])
        exit
    sort(lines, line_count)
    sort(sizes, size_count)
    print "$rows << EOD"
    for (k = 1; k <= line_count; k++) {
        for (s = 1; s <= size_count; s++)
            if ((lines[k], sizes[s]) in seconds) {
                print sizes[s] "\t" seconds[lines[k], sizes[s]]
                table = table "#| " lines[k] "\t" sizes[s] "\t" short(1000 * seconds[lines[k], sizes[s]]) "\n"
            }
        print "\n"
    }
    print "EOD"
    printf "#| line\t#n\t#ms\n%s", table
    print "count = " line_count "; array name[count]"
    for (k = 1; k <= line_count; k++) {
        print "name[" k "] = " quoted(lines[k])
        if ((n = crossing(lines[k])) == "")
            continue
        print "#| " lines[k] ", crosses all pairs at\t" short(n) "\t"
        print "set arrow from first " n ", graph 0 to first " n ", graph 1 nohead dt 3 lc rgb grey back"
        print "set label " quoted(sprintf("%.0f", n)) " at first " n ", graph " 0.97 - 0.05 * crossings++ \
            " left offset 0.4, 0 font ',11' textcolor rgb ink"
    }
    print "machine = " quoted(title) "; run_time = " quoted("until " run_time)
}
