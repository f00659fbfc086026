# What ncu counted of walks, as two rows of counts.csv: the mean of all walks, and the last one. Given: metrics, in the
# order of the columns, with commas; keys. Input: ncu's CSV, with the program's own lines. Fields are quoted, the first
# is the launch's number, the last three a metric's name, unit and value.

BEGIN {
    FS = "\",\""
    count = split(metrics, names, ",")
    for (m = 1; m <= count; m++)
        place[names[m]] = m
}

/^peak / { split($0, words, " "); peak = words[2] }

/^"[0-9]/ && $(NF - 2) in place {
    m = place[$(NF - 2)]
    value = $NF
    gsub(/[",]/, "", value)
    if (names[m] ~ /pipe_xu/)
        value *= 32 # threads of a warp
    if (names[m] ~ /time/)
        value *= 1e-9
    sums[m] += value
    last[m] = value
    walks += m == 1
}

# A fused multiply-add is two operations, a root four.
function print_row(what, values, walks,    m, list, flops) {
    for (m = 1; m <= count; m++)
        list = list sprintf(",%.6g", values[m] / walks)
    flops = (2 * values[2] + values[3] + values[4] + 4 * values[5]) / values[count]
    printf "%s,%s,%d%s,%.4g,%.3f\n", what, keys, walks, list, flops, flops / peak
}

END {
    if (!walks || !peak || !(sums[count] > 0))
        exit 1
    print_row("step", sums, walks)
    print_row("pass", last, 1)
}
