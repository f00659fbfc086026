# The rows of equal-error.csv as lines for crossing.awk, which is read after this script: of all pairs the least time of
# any program, and for each error the least time of a tree with at most that error in 99% of the bodies.

/^# / {
    split(substr($0, 3), heading, "; ")
    title = heading[1]
    run_time = heading[2]
}

!/^# / && $1 != "program" && $3 == 0 { add("all pairs", $2 + 0, $6) }

!/^# / && $3 > 0 {
    for (e = 2; e <= 5; e++) {
        line = "tree, error 1e-" e
        if ($5 <= 10 ^ -e && (!((line, $2 + 0) in seconds) || $6 < seconds[line, $2 + 0]))
            add(line, $2 + 0, $6)
    }
}
