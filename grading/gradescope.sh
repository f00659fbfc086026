#!/bin/sh
# gradescope.sh OUT [STEPS]: writes OUT/autograder.zip, which a Gradescope programming assignment
# takes: the course with solutions and grader, as git tracks it and as it is in this folder. Exit
# codes are those of common/problems/outcome.h: 3 usage, 10 OUT cannot be written, 14 not a checkout.
set -u
export LC_ALL=C

fail() {
    echo "error: $2" >&2
    exit "$1"
}

out=${1-}
range=${2-}
[ -n "$out" ] || fail 3 'gradescope needs a folder to write to, as in `make gradescope OUT=../gradescope STEPS=05`'
here=$(git rev-parse --show-toplevel 2>/dev/null) && [ "$here" = "$(pwd -P)" ] ||
    fail 14 'this folder is no git checkout of its own; the zip takes the files that git tracks, so make it in a clone'
common/report/steps.sh . ${2+"STEPS=$range"} >/dev/null || exit

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/course"
git ls-files -z -- Makefile common steps solutions grading ':!common/tests' ':!grading/tests' |
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh |
    tar --null -T - -cf - | tar -xf - -C "$scratch/course" || fail 1 'the files could not be copied'
cp grading/gradescope/setup.sh grading/gradescope/run_autograder "$scratch/" || exit 1
printf '%s\n' "$range" >"$scratch/steps"

# git packs what it is given, so no other packer is needed.
mkdir -p "$out" && out=$(cd "$out" && pwd) || fail 10 "OUT=$out cannot be written"
(cd "$scratch" && git init -q && git add -A -f && tree=$(git write-tree) &&
    git archive --format=zip -o "$scratch/autograder.zip" "$tree") || fail 1 'git could not pack the files'
cp "$scratch/autograder.zip" "$out/" 2>/dev/null || fail 10 "OUT=$out cannot be written"
echo "$out/autograder.zip: the autograder of ${range:-all steps}; it holds the solutions, so keep it to yourself"
