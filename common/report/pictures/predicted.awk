# The ratio of every CUDA step to the step it builds on: predicted from executed issue slots, measured
# by speedup_previous, in the last run that has more than one such step. The files are FACTS,
# RECORD and RECORD.

function is_measured() {
    return is_default() && at("backend") == "cuda" && at("speedup_previous") > 0
}

function slots_of(step) {
    return slots[step, default_variant[at("run"), step]]
}

pass == 1 && at("name") == "ncu_slots" {
    slots[at("step"), at("variant")] = at("value")
}

pass == 2 {
    note_default()
    if (!is_measured() || (at("run"), at("step")) in is_there)
        next
    is_there[at("run"), at("step")] = 1
    if (++steps_of[at("run")] > 1)
        last_run = at("run")
}

pass == 3 && last_run != "" && at("run") == last_run && is_measured() &&
slots_of(at("step")) > 0 && slots_of(builds_on[at("step")]) > 0 {
    step_count = add_once(is_step, steps, step_count, at("step"))
    size_count = add_once(is_size, sizes, size_count, at("n") + 0)
    predicted[at("step")] = slots_of(builds_on[at("step")]) / slots_of(at("step"))
    measured[at("step"), at("n") + 0] = at("speedup_previous")
    text[at("step"), at("n") + 0] = label(at("speedup_previous"))
    title = this_machine()
    run_time = at("time_utc")
}

END {
    if (!step_count)
        exit
    sort(steps, step_count)
    sort(sizes, size_count)
    print "$rows << EOD"
    for (s = 1; s <= size_count; s++) {
        for (k = 1; k <= step_count; k++)
            if ((steps[k], sizes[s]) in measured) {
                print k "\t" measured[steps[k], sizes[s]] "\t" text[steps[k], sizes[s]] "\t" s
                table = table "#| " steps[k] "\t" sizes[s] "\t" short(predicted[steps[k]]) "\t" \
                    measured[steps[k], sizes[s]] "\n"
            }
        print "\n"
        names = names (s > 1 ? " " : "") sizes[s]
    }
    print "EOD"
    print "#| step\t#n\t#predicted by slots\t#measured\n" table
    print "$predicted << EOD"
    for (k = 1; k <= step_count; k++) {
        print k "\t" predicted[steps[k]] "\t" short(predicted[steps[k]])
        tics = tics (k > 1 ? ", " : "") "\"" steps[k] "\" " k
    }
    print "EOD"
    print "set ytics scale 0 noenhanced (" tics ")"
    print "steps = " step_count "; sizes = '" names "'"
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
    print "verdicts = " quoted(verdicts)
}
