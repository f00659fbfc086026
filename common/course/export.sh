#!/bin/sh
# export.sh OUT [STEPS]: a copy of the course for learners: what git tracks, as it is in this folder,
# with the skeletons in their places and without solutions, notes, grading and tests. STEPS, as in
# 01-05, keeps a range of the steps. Exit codes are those of common/problems/outcome.h: 3 usage,
# 10 OUT cannot be written, 14 this folder is not one that an export can be made from.
set -u
export LC_ALL=C

fail() {
    echo "error: $2" >&2
    exit "$1"
}

out=${1-}
range=${2-}
[ -n "$out" ] || fail 3 "handout needs a folder to write to, as in \`make handout OUT=../course\`"
[ -d solutions ] || fail 14 "this copy of the course is for learners; a handout is made from one with solutions/"
here=$(git rev-parse --show-toplevel 2>/dev/null) && [ "$here" = "$(pwd -P)" ] ||
    fail 14 "this folder is no git checkout of its own; a handout takes the files that git tracks, so make it in a clone"
[ ! -e "$out" ] || [ -d "$out" ] || fail 3 "OUT=$out is a file; a new or empty folder is needed"
[ ! -d "$out" ] || [ -z "$(ls -A "$out")" ] || fail 3 "OUT=$out is not empty; a new or empty folder is needed"

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# A step that is still being written, of which git tracks no file, is left out.
common/report/steps.sh | sed 1d >"$scratch/steps.tsv"
common/report/steps.sh . ${2+"STEPS=$range"} >"$scratch/chosen.tsv" || exit
steps=
for step in $(sed 1d "$scratch/chosen.tsv" | cut -f1); do
    if [ -n "$(git ls-files -- "steps/$step" "solutions/$step" | head -n 1)" ]; then
        steps="$steps$step
"
    else
        echo "$step is left out: git tracks no file of it; \`git add\` its folders to have it copied" >&2
    fi
done
steps=${steps%?}
[ -n "$steps" ] || fail 4 "STEPS=$range: git tracks none of these steps"
[ $# -lt 2 ] || for step in $steps; do
    before=$(awk -F'\t' -v step="$step" '$1 == step { print $5 }' "$scratch/steps.tsv")
    [ "$before" = - ] || echo "$steps" | grep -qx "$before" ||
        fail 3 "STEPS=$range: $step builds on $before, which is not in it; begin with an earlier step"
done

copy=$scratch/copy
mkdir "$copy"

git ls-files -z -- . ':!solutions' ':!grading' ':!common/tests' ':!.ci' ':!*NOTES.md' \
    ':!docs/maintainer-guide.md' ':!docs/house.md' ':!docs/instructor-guide.md' ':!docs/grading.md' ':!docs/examples' \
    ':!CONTRIBUTING.md' ':!CHANGELOG.md' ':!.github' ':!.gitattributes' ':!.clang-tidy' ':!.codespellrc' |
    xargs -0 sh -c 'for file; do [ ! -e "$file" ] || printf "%s\0" "$file"; done' sh |
    tar --null -T - -cf - | tar -xf - -C "$copy" || fail 1 "the files could not be copied"

for step in $(cut -f1 "$scratch/steps.tsv"); do
    echo "$steps" | grep -qx "$step" || rm -rf "${copy:?}/steps/$step"
done

common/course/skeletons.sh "$scratch/derived" || exit
for step in $steps; do
    source=$(awk -F'\t' -v step="$step" '$1 == step { print $4 }' "$scratch/steps.tsv")
    # What somebody has written here stays here, with what `make reset` put aside.
    rm -f "$copy/steps/$step/${source%.*}".* "$copy/steps/$step"/flags*
    mkdir -p "$copy/steps/.skeletons/$step"
    for file in "$scratch/derived/steps/$step"/*; do
        cp "$file" "$copy/steps/$step/" || exit 1
        case $file in */README.md) ;; *) cp "$file" "$copy/steps/.skeletons/$step/" || exit 1 ;; esac
    done
done

# What the harness has of kernels holds tiles and barriers: the Makefile unpacks it, and headers that
# nothing there includes stay here, and then those that they alone included.
find "$copy/common/problems" "$copy/common/referee" -name '*.cu' -exec gzip -n {} + || exit 1
gone=yes
while [ -n "$gone" ]; do
    gone=
    for header in $(cd "$copy/common/kit" && grep -l __global__ ./*.h); do
        grep -rqF "\"${header#./}\"" "$copy/steps" "$copy/common/kit" ||
            { rm "$copy/common/kit/$header" && gone=yes; }
    done
done

(cd "$copy" && find . -mindepth 1 | sed 's,^\./,,') >"$scratch/paths"
(cd "$copy" && find . -name '*.md' | sed 's,^\./,,') >"$scratch/texts"
while IFS= read -r text; do
    awk -v name="$text" -f common/course/export.awk "$scratch/paths" "$copy/$text" >"$scratch/text" &&
        cat "$scratch/text" >"$copy/$text" || exit 1
done <"$scratch/texts"

{ mkdir -p "$out" && cp -R "$copy/." "$out/"; } 2>/dev/null || fail 10 "OUT=$out cannot be written"
echo "$out: the course for learners, $(echo "$steps" | wc -l | tr -d ' ') steps"
