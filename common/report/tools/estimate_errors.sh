#!/bin/sh
# estimate_errors.sh STEPS [LARGEST_N [GPU RECORD.csv]]: holds estimates for a GPU against the rows of a record of
# it: the H200 and its record, if none is named. STEPS is a pattern of awk's, as '^(03|04)_'; of those that have no
# estimate there is no row. Prints a row for each row of the record, Markdown, then the errors: of the half by
# which parameters may be fitted (every other row, from the first) and of the other half, which judges.
# Wants nvcc, a C++ compiler and solutions/; takes some seconds per row. For maintainers, and for make record.
set -eu
[ $# -ge 1 ] || { echo "usage: estimate_errors.sh STEPS [LARGEST_N [GPU RECORD.csv]]" >&2; exit 3; }
gpu=${3:-h200}
facts=
. common/report/tools/facts.sh

# One row per program, size and clock: the last, from the problem's first inputs. By the device's clock kernels
# alone are timed, on other bodies.
for record in ${4:-docs/results/h200*/h200*.csv}; do
    case $record in *-facts.csv) continue ;; esac
    awk -F, -v steps="$1" -v largest="${2:-131072}" '
        FNR == 1 { split("", at); for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["step"] ~ steps && $at["backend"] == "cuda" && $at["source"] == "solution" &&
            $at["verdict"] ~ /^(accepted|decimals|(wrong|not-finite):expected)/ && $at["clock"] != "" &&
            $at["distribution"] ~ ($at["step"] ~ /^31/ ? "^plummer$" : $at["clock"] == "device" ? "^(soft_cube|integers|sums|keys|surface)$" : "^uniform$") &&
            $at["n"] <= largest && $at["variant"] !~ /^(peer|without)_/ {
            key = $at["step"] " " $at["variant"] " " $at["n"] " " $at["clock"] " " $at["iterations"]
            if (!(key in rate)) order[++count] = key
            rate[key] = $at["rate_gps"]
        }
        END { for (i = 1; i <= count; i++) print order[i], rate[order[i]] }' "$record"
done | sort -s -k1,1 -k3,3n | awk '!seen[$1 $2 $3 $4]++' >"$out/rows"

while read -r step variant n clock iterations rate; do
    rate_name=rate_gps
    [ "$clock" != device ] || rate_name=device_rate_gps
    ! grep -q '^no_estimate' "steps/$step/manifest" || continue
    build/referee estimate --step "$step" --of solutions --gpu "$gpu" --variant "$variant" --n "$n" \
        --iterations "$iterations" --json 1 >"$out/said" 2>"$out/why" </dev/null || : >"$out/said"
    estimate=$(number "$rate_name" "$out/said")
    if [ -n "$estimate" ]; then
        echo "$step $variant $n $rate $estimate $clock"
    else
        echo "$step $variant $n: $(head -n 1 "$out/why")" >&2
    fi
done <"$out/rows" >"$out/estimates"

common/report/steps.sh | awk -F'\t' '{ split($9, variant, " "); print $1, variant[1], $5 }' >"$out/steps"

awk '
function report(name, half,    i, list, count) {
    for (i = 1; i <= rows; i++)
        if (half < 0 || i % 2 == half) list[++count] = error[i]
    print_errors(name, list, count)
}
function print_errors(name, list, count,    i, k, good, worst, swap) {
    for (i = 1; i <= count; i++)
        for (k = i + 1; k <= count; k++)
            if (list[k] < list[i]) { swap = list[i]; list[i] = list[k]; list[k] = swap }
    for (i = 1; i <= count; i++) { good += list[i] <= 0.15; worst += list[i] > 0.30 }
    if (count)
        printf "| %s | %d | %.1f%% | %.0f%% | %.0f%% | %d |\n", name, count, 100 * list[int((count + 1) / 2)], \
            100 * list[int(0.9 * count + 0.999)], 100 * good / count, worst
}
function off(ratio) { return ratio > 1 ? ratio - 1 : 1 - ratio }
FNR == NR { variant_of[$1] = $2; before[$1] = $3; next }
FNR == 1 {
    print "| step | variant | n | clock | record, G/s | estimate, G/s | error | half |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
}
{
    step[++rows] = $1; variant[rows] = $2; at[rows] = $3 " " $6; record[rows] = $4; estimate[rows] = $5
    row_of[$1, $2, $3, $6] = rows
    error[rows] = off($5 / $4)
    printf "| %s | %s | %d | %s | %.4g | %.4g | %+.1f%% | %s |\n", $1, $2, $3, $6, $4, $5, 100 * ($5 / $4 - 1), \
        rows % 2 ? "fit" : "judge"
}
END {
    print ""
    print "| rows | number | median error | nine in ten within | within 15% | beyond 30% |"
    print "| --- | --- | --- | --- | --- | --- |"
    report("fit half", 1)
    report("judge half", 0)
    report("all", -1)
    for (i = 1; i <= rows; i++)
        if (!(step[i] in seen)) { seen[step[i]] = 1; order[++steps] = step[i] }
    for (k = 1; k <= steps; k++) {
        of_step = 0
        for (i = 1; i <= rows; i++) if (step[i] == order[k]) list[++of_step] = error[i]
        print_errors(order[k], list, of_step)
    }
    for (i = 1; i <= rows; i++) {
        split(at[i], place)
        other = row_of[before[step[i]], variant_of[before[step[i]]], place[1], place[2]]
        if (variant[i] == variant_of[step[i]] && other)
            ratios[++ratio_count] = off(estimate[i] / estimate[other] / (record[i] / record[other]))
        for (k = 1; k < i; k++)
            if (step[k] == step[i] && at[k] == at[i] && (record[i] > 1.1 * record[k] || record[k] > 1.1 * record[i])) {
                pairs++
                ordered += (record[i] > record[k]) == (estimate[i] > estimate[k])
            }
    }
    print_errors("ratio to the step before", ratios, ratio_count)
    printf "\nOf %d pairs of variants that the record separates by more than 10%%, %d are in its order.\n", pairs, ordered
}' "$out/steps" "$out/estimates"
