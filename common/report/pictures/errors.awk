# accuracy_09_p50 and its like, of the first variant that has them: rows of parameter, five errors and parts
# per body; first by the accuracy, then by the angle. And the errors of sums over all pairs in float.

function row(what, parameter,    c, line) {
    line = parameter
    for (c = 1; c <= columns; c++)
        line = line "\t" found[variant, what "_" column[c]]
    return line
}

END {
    if ((variant = first_with("accuracy_09_p50")) == "")
        exit
    columns = split("p01 p50 p90 p99 max parts", column, " ")
    print "$rows << EOD"
    for (k = 1; has(variant, sprintf("accuracy_%02d_p50", k)); k++)
        print row(sprintf("accuracy_%02d", k), 2 ^ -k)
    print "\n"
    for (k = 1; has(variant, sprintf("angle_%02d_p50", k)); k++)
        print row(sprintf("angle_%02d", k), 2 ^ (-k / 2))
    print "EOD"
    printf "direct_median = %s; direct_largest = %s\n", found[variant, "direct_p50"], found[variant, "direct_max"]
    printf "#| accuracy\t#median\t#99%%\t#largest\t#parts per body\n"
    for (k = 1; has(variant, sprintf("accuracy_%02d_p50", k)); k++)
        printf "#| 2^-%d\t%.2g\t%.2g\t%.2g\t%.0f\n", k, of("p50", k), of("p99", k), of("max", k), of("parts", k)
    print_heading()
}

function of(what, k) {
    return found[variant, sprintf("accuracy_%02d_%s", k, what)]
}
