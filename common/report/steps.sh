#!/bin/sh
# steps.sh [ROOT [NAME=RANGE]]: what the manifests of the steps in ROOT/steps say, as a table for scripts: a
# line each, in the order of their names, with tabs between the columns that the first line names; - where
# nothing is set. `cost` is that of the default variant. With a range, 03-09 or 05, of its steps alone; NAME
# is the variable of make that has it. Exit codes are those of common/problems/outcome.h.
set -u
export LC_ALL=C
cd "${1:-.}/steps" || exit 1

fail() {
    echo "error: $wanted: $2" >&2
    exit "$1"
}

wanted=${2:-=}
range=${wanted#*=}
first=${range%%-*}
last=${range#*-}
if [ -n "${2-}" ]; then
    for number in "$first" "$last"; do
        case $number in *[!0-9]* | '') fail 3 "a range is needed, as in ${wanted%%=*}=03-09, or a step" ;; esac
        set -- "${number}"_*/manifest
        [ -e "$1" ] || fail 4 "there is no step $number; steps/ lists them"
    done
    [ "$first" -le "$last" ] || fail 3 "the range begins behind its end"
fi
awk '
    BEGIN { count = split("step part problem source builds_on expected tolerance title variants cost", name, " ") }
    function print_row(   k, variant) {
        if (NR > 1) {
            variant = value["variants"]
            sub(/ .*/, "", variant)
            k = value["source"] ~ /[.]cu$/ ? "cost_cuda" : "cost_cpu"
            value["cost"] = value[(k "_" variant) in value ? k "_" variant : k]
        }
        for (k = 1; k <= count; k++)
            printf "%s%s", value[name[k]] == "" ? "-" : value[name[k]], k < count ? "\t" : "\n"
        split("", value)
    }
    NR == 1 {
        for (k = 1; k <= count; k++)
            value[name[k]] = name[k]
    }
    FNR == 1 {
        print_row()
        value["step"] = FILENAME
        sub(/\/.*/, "", value["step"])
    }
    {
        sub(/[ \t\r]*(#.*)?$/, "")
        if (match($0, /^[^ =]+ *= */)) {
            key = $1
            sub(/=.*/, "", key)
            value[key] = substr($0, RLENGTH + 1)
        }
    }
    END { if (NR) print_row() }' [0-9]*_*/manifest |
    awk -F'\t' -v first="$first" -v last="$last" 'FNR == 1 || first == "" || (+$1 >= +first && +$1 <= +last)'
