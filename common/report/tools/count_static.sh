#!/bin/sh
# count_static.sh RECORD-facts.csv: counts in the machine code of N-body's CUDA steps, for four
# architectures, how many instructions an interaction takes (see sass.awk), and adds it to the facts
# of the record's last run. Wants nvcc and cuobjdump in PATH, and no GPU. For maintainers.
set -eu
architectures="sm_75 sm_80 sm_89 sm_90"

[ $# -eq 1 ] || { echo "usage: count_static.sh RECORD-facts.csv" >&2; exit 3; }
facts=$1
. common/report/tools/facts.sh
for tool in nvcc cuobjdump; do
    command -v $tool >/dev/null || fail "$tool is not in PATH"
done
source="static SASS nvcc $(nvcc --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')"

for step in $(common/report/steps.sh | awk -F'\t' '$3 ~ /^nbody/ && $4 ~ /\.cu$/ { print $1 }'); do
    for architecture in $architectures; do
        build/referee build --step "$step" --of solutions --arch "$architecture" >/dev/null
        for place in "solutions/$step" $(sed -n "s,^source_.* = ,beside/$step/,p" "steps/$step/manifest" | sort -u); do
            [ ! -e "build/$place/players.tsv" ] || cut -f1,7 "build/$place/players.tsv"
        done >"$out/programs"
        while read -r variant program; do
            cuobjdump -sass "$program" >"$out/sass" || fail "cuobjdump cannot read $program"
            awk -v program="$step $variant $architecture" -f common/report/tools/sass.awk "$out/sass" >"$out/counts"
            while read -r kind count; do
                echo "$run,$step,$variant,${kind}_$architecture,$count,1/interaction,$source"
            done <"$out/counts" >>"$out/rows"
        done <"$out/programs"
    done
    echo "$step"
done
[ -s "$out/rows" ] || fail "there was nothing to count"
add_facts "$out/rows"
