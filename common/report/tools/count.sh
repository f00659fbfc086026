#!/bin/sh
# count.sh RECORD-facts.csv: counts with ncu what the CUDA steps of N-body execute (executed.sh), and
# adds it to the facts of the record's last run. Wants a GPU, and ncu in PATH. For maintainers: a record
# that is published goes through it once.
set -eu
n=16384

[ $# -eq 1 ] || { echo "usage: count.sh RECORD-facts.csv" >&2; exit 3; }
facts=$1
. common/report/tools/facts.sh

common/report/steps.sh | awk -F'\t' '$3 ~ /^nbody/ && $4 ~ /\.cu$/ { print $1, $9 }' | while read -r step variants; do
    for variant in $variants; do
        program=$(build/referee standalone --step "$step" --of solutions --variant "$variant" |
            grep -o '[^ ]*/standalone' | head -n 1)
        common/report/tools/executed.sh "$program" $n $((n * n)) interaction >"$out/counts" </dev/null
        while read -r name value unit; do
            # What depends on n is no fact of the program.
            case $name in threads | not_selected | stall_*) continue ;; esac
            echo "$run,$step,$variant,ncu_$name,$value,$unit,ncu n=$n"
        done <"$out/counts" >>"$out/rows"
        echo "$step $variant"
    done
done
[ -s "$out/rows" ] || fail "there was nothing to count"
add_facts "$out/rows"
