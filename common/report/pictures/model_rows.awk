# Times with T_sub threads per body, for model.sh: n_i, n_j, T_sub, seconds, of the last run that has
# variants exchange_1 and so on, "# step", the step of these, and "# clock" in Hz, the mean of its rows.

function is_time() {
    return at("variant") ~ /^exchange_[0-9]+$/ && \
        at("source") == "solution" && at("backend") == "cuda" && at("verdict") ~ /^accepted/ && \
        at("seconds_median") > 0 && at("iterations") > 0
}

pass == 1 && is_time() {
    if (at("run") != run)
        by_device = 0
    run = at("run")
    by_device = by_device || at("clock") == "device"
}

pass == 2 && run != "" && at("run") == run && is_time() && (at("clock") == "device") == by_device {
    threads = at("variant")
    step = at("step")
    sub(/.*_/, "", threads)
    print at("n") "\t" at("n") "\t" threads "\t" at("seconds_median") / at("iterations")
    if (at("sm_mhz") > 0) {
        sum += at("sm_mhz")
        count++
    }
}

END {
    if (step != "")
        print "# step " step
    if (count)
        print "# clock " sum / count * 1e6
}
