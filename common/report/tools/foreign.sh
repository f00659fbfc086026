#!/bin/sh
# foreign.sh N: kernels that are not the course's, made by an edit of a solution each
# (docs/examples/foreign-kernels.tsv: the step, what they are, sed's script). Prints a line
# `step<TAB>what<TAB>G/s` for each: on a machine with a GPU what it reaches there, else what is estimated for the
# H200. For maintainers, who compare the two.
set -eu
[ $# -eq 1 ] || { echo "usage: foreign.sh N" >&2; exit 3; }
facts=
. common/report/tools/facts.sh
verb=run
! build/referee machine | grep -q '^no NVIDIA GPU' || verb=estimate
tab=$(printf '\t')
while IFS="$tab" read -r step what edit; do
    sed "$edit" "solutions/$step/nbody.cu" >"$out/foreign.cu"
    ! cmp -s "$out/foreign.cu" "solutions/$step/nbody.cu" || { echo "$step, $what: nothing is edited" >&2; exit 1; }
    build/referee $verb --step "$step" --file "$out/foreign.cu" --n "$1" --iterations 10 --json 1 \
        >"$out/said" 2>"$out/why" </dev/null || true
    rate=$(number rate_gps "$out/said")
    printf '%s\t%s\t%s\n' "$step" "$what" "${rate:-$(head -n 1 "$out/why")}"
done <docs/examples/foreign-kernels.tsv
