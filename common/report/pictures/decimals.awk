# The first wrong decimals of `step` and of the step it builds on, `before`, in the last run that has
# those of both: where they differ, or with `all`, where the step is expected to be rejected, a block of
# rows for the default of `before` and one for the step's, or for every variant of it. At `size` if that
# was measured, else at the largest. The bench has no counts for a result that is not finite: such a
# variant is named.

function wanted(    key) {
    key = at("run") SUBSEP at("step")
    return at("source") == "solution" && of_problem() && ((at("step") == step && all) || \
        ((at("step") == step || at("step") == before) && at("variant") == default_variant[key]))
}

pass == 1 {
    note_default()
    if (wanted() && at("decimals") != "") {
        has[at("run"), at("step")] = 1
        if ((at("run"), step) in has && ((at("run"), before) in has || all))
            last_run = at("run")
    }
}

pass == 2 && last_run != "" && at("run") == last_run && wanted() {
    n = at("n") + 0
    name = at("step") == before ? before : all ? at("variant") : step
    series_count = add_once(is_series, list, series_count, name)
    verdict[name, n] = at("verdict")
    # What follows a colon is about the time.
    sub(/:.*/, "", verdict[name, n])
    if (at("decimals") == "")
        next
    counts[name, n] = at("decimals")
    if (at("step") == before)
        next
    if (chosen != size && (n == size || n > chosen))
        chosen = n
    title = this_machine()
    run_time = at("time_utc")
    heading = at("step") ",  n = " chosen ",  " at("backend")
}

END {
    if (!chosen || (!all && (counts[before, chosen] == "" || counts[step, chosen] == counts[before, chosen])))
        exit
    print "$rows << EOD"
    for (v = 1; v <= series_count; v++) {
        key = list[v] SUBSEP chosen
        if (!(key in verdict))
            continue
        says = verdict[key] == "accepted" ? "" : " (verdict: " verdict[key] ")"
        if (!(key in counts) || counts[key] == "") {
            missing = missing (missing == "" ? "No counts: " : ", ") list[v] says
            continue
        }
        split(counts[key], count, ":")
        for (k = 1; k <= 10; k++) {
            percent = 100 * count[k] / (3 * chosen)
            print k "\t" percent "\t" (count[k] > 0 ? short(percent) : "0")
        }
        print "\n"
        gsub(/:/, "\t", counts[key])
        table = table "#| " list[v] "\t" counts[key] "\n"
        names = names " \"" list[v] says "\""
    }
    print "EOD"
    print "#| program\t#1\t#2\t#3\t#4\t#5\t#6\t#7\t#8\t#9\t#later\n" table
    print "names = " quoted(names)
    print "heading = " quoted(heading) "; missing = " quoted(missing)
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
}
