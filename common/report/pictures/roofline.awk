# Rate over issue slots per interaction of every CUDA step of N-body, at the ladder's largest size, under
# what the GPU issues: a step that needs fewer slots moves to the left, under a higher limit. Also the
# limits of other units, for what the last step needs of them.

function percent(share) {
    return sprintf("%.0f%%", 100 * share)
}

function add_point(row, source, whose,    slots) {
    if (row == "" || field(row, "backend") != "cuda" || (slots = slots_of(row, source)) == "")
        return
    k = ++points
    x[k] = slots + 0
    y[k] = field(row, "rate_gps") + 0
    text[k] = field(row, "step") whose ": " short(slots) ", " short(y[k]) star(field(row, "verdict"))
    is_yours[k] = whose != ""
    fewest = k == 1 || x[k] < fewest ? x[k] : fewest
    most = x[k] > most ? x[k] : most
    lowest = k == 1 || y[k] < lowest ? y[k] : lowest
    last = row
    table = table "#| " field(row, "step") whose "\t" slots "\t" slots_from "\t" field(row, "rate_gps") "\t" \
        short(issue / slots) "\t" percent(y[k] * slots / issue) "\n"
}

function add_level(resource, cost, name,    need, rate) {
    need = fact["", field(last, "step"), field(last, "variant"), cost]
    rate = need > 0.1 ? fact["", "", "", "ceiling_" resource] / need / 1e9 : 0
    if (!rate)
        return
    top = rate > top ? rate : top
    # Those that fall together are one.
    for (k = 1; k <= level_count; k++)
        if (rate / level[k] > 0.98 && rate / level[k] < 1.02) {
            said[k] = name ", " short(need) ";  " said[k]
            return
        }
    level[++level_count] = rate
    said[level_count] = name ", " short(need) " per interaction: " short(rate) " G/s"
}

END {
    issue = fact["", "", "", "ceiling_gpu_issue"] / 1e9
    if (!(issue > 0) || !(count = ladder_sizes(sizes)))
        exit
    sort(step_list, step_count)
    for (s = 1; s <= step_count; s++)
        if (is_nbody(step_list[s])) {
            add_point(chosen("", step_list[s], "solution", sizes[count]), "solution", "")
            add_point(chosen("", step_list[s], "student", sizes[count]), "student", ", yours")
        }
    if (points < 2)
        exit
    top = issue / fewest
    add_level("gpu_mufu", "ncu_mufu", "MUFU")
    add_level("gpu_fma", "ncu_fma", "FMA")
    add_level("gpu_lds", "ncu_shared_wavefronts", "LDS")
    low = lowest / 1.5
    high = top * 1.3
    print "$rows << EOD"
    for (k = 1; k <= points; k++)
        print x[k] "\t" y[k] "\t" is_yours[k]
    print "EOD\n$levels << EOD"
    for (k = 1; k <= level_count; k++)
        print level[k] "\t" said[k]
    print "EOD"
    print_names(text, x, y, points, low, high, 1 / (points > 20 ? points : 20))
    print "#| step\t#slots\tcounted\t#G/s\t#ceiling ÷ slots, G/s\t#share\n" table
    print "issue = " issue "; fewest = " fewest "; most = " most "; low = " low "; high = " high
    print "heading = " quoted("n = " sizes[count]) "; levels = " level_count + 0
    print "machine = " quoted(machine_of(last)) "; run_time = " quoted(field(last, "time_utc"))
    print "verdicts = " quoted(verdicts)
}
