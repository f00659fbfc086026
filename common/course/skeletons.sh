#!/bin/sh
# Derives from each solution what a learner begins with: the step's source in steps/NN_name and, where
# it has one, `flags`; and rewrites the marked blocks of the handouts, steps/NN_name/README.md. With a folder
# as its argument it writes there instead. A file in steps/ that a learner has changed stays as it is.
# Status 14: one did. Status 15: the fences of a solution are not whole (fences.awk).
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
out=${1:-.}
derived=build/skeletons
status=0
mkdir -p "$derived" && scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

fences() { # fences WANT FILE
    awk -v want="$1" -f common/referee/lesson/fences.awk "$2"
}

# Whether FILE in steps/ is ours to write: not there, as it was last derived, or as git has it.
ours() {
    [ "$out" != . ] || [ ! -e "$1" ] || cmp -s "$1" "$derived/$1" || cmp -s "$1" "$scratch/$1" ||
        { git ls-files --error-unmatch "$1" && git diff --quiet HEAD -- "$1"; } >/dev/null 2>&1
}

# put FILE: the derived file takes its place.
put() {
    if ! ours "$1"; then
        echo "skeletons: $1 has been changed here and stays as it is; \`make reset\` keeps a copy of it" >&2
        status=14
        return
    fi
    mkdir -p "$out/$(dirname "$1")" "$derived/$(dirname "$1")"
    cmp -s "$scratch/$1" "$out/$1" || cp "$scratch/$1" "$out/$1" || exit 1
    cp "$scratch/$1" "$derived/$1" || exit 1
}

common/report/steps.sh | sed 1d | cut -f1,4 >"$scratch/steps.tsv"
while read -r step source; do
    mkdir -p "$scratch/steps/$step"
    for file in "$source" flags; do
        [ -e "solutions/$step/$file" ] || continue
        fences skeleton "solutions/$step/$file" >"$scratch/steps/$step/$file" || exit 15
        fences parts "$scratch/steps/$step/$file" | sed "s,^,steps/$step/$file\t," >>"$scratch/steps/$step/parts"
        # shellcheck disable=SC2013 # one number a word
        for part in $(fences parts "$scratch/steps/$step/$file" | cut -f1); do
            fences "part $part" "solutions/$step/$file" >"$scratch/steps/$step/part-$part"
        done
        put "steps/$step/$file"
    done
    [ -e "steps/$step/README.md" ] || continue
    awk -v folder="$scratch/steps/$step" -f common/course/handout.awk \
        "steps/$step/README.md" >"$scratch/steps/$step/README.md" || exit 15
    mkdir -p "$out/steps/$step"
    cmp -s "$scratch/steps/$step/README.md" "$out/steps/$step/README.md" ||
        cp "$scratch/steps/$step/README.md" "$out/steps/$step/README.md" || exit 1
done <"$scratch/steps.tsv"
exit $status
