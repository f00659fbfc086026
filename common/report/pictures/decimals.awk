# The first wrong decimals of `step` (08) in the last run that has them, at `size` if that was
# measured, else at the largest: of the default variant, or with `all` of every variant, a block of
# rows each. The bench has no counts for a result that is not finite: such a variant is named.

function wanted(    key) {
    key = at("run") SUBSEP at("step")
    return index(at("step"), step "_") == 1 && at("source") == "solution" &&
        (all || at("variant") == default_variant[key])
}

pass == 1 {
    note_default()
    if (wanted() && at("decimals") != "")
        last_run = at("run")
}

pass == 2 && last_run != "" && at("run") == last_run && wanted() {
    n = at("n") + 0
    variant_count = add_once(is_variant, variants, variant_count, at("variant"))
    verdict[at("variant"), n] = at("verdict")
    # What follows a colon is about the time.
    sub(/:.*/, "", verdict[at("variant"), n])
    if (at("decimals") == "")
        next
    counts[at("variant"), n] = at("decimals")
    if (chosen != size && (n == size || n > chosen))
        chosen = n
    title = machine()
    run_time = at("time_utc")
    heading = at("step") ",  n = " chosen ",  " at("backend")
}

END {
    if (!chosen)
        exit
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++) {
        key = variants[v] SUBSEP chosen
        if (!(key in verdict))
            continue
        says = verdict[key] == "accepted" ? "" : " (verdict: " verdict[key] ")"
        if (!(key in counts)) {
            missing = missing (missing == "" ? "No counts: " : ", ") variants[v] says
            continue
        }
        split(counts[key], count, ":")
        for (k = 1; k <= 10; k++) {
            percent = 100 * count[k] / (3 * chosen)
            print k "\t" percent "\t" (count[k] > 0 ? short(percent) : "0")
        }
        print "\n"
        names = names (series++ ? "\t" : "") variants[v] says
    }
    print "EOD"
    print "series = " series + 0 "; names = \"" (series == 1 ? "variant " : "") names "\""
    print "heading = " quoted(heading) "; missing = " quoted(missing)
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
}
