#!/bin/bash
# soak_kills.sh [KILLS [COUNT [SEED]]]: grades a corpus twice, once undisturbed and once killed by SIGKILL
# 20 times at random and called again each time. What is exported must be the same to the byte, but
# for times. Speed is left out by the rubric: it is measured, so it is never twice the same.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
kills=${1:-20} count=${2:-24} seed=${3:-2}
world=$(mktemp -d /tmp/soak.XXXXXX) || exit 1
chmod 755 "$world"
trap 'rm -rf "$world"' EXIT
grading/tests/corpus.sh "$seed" "$world" "$count" || exit 1
sed 's/^speed = .*/speed = 0/' grading/rubric.ini >"$world/rubric.ini"
# The seeds come from the gradebook's secret, so both begin with the same one.
begin() {
    mkdir "$world/$1"
    [ "$1" = whole ] || sqlite3 "$world/whole/gradebook.sqlite" '.backup '"$world/$1/gradebook.sqlite" &&
        [ "$1" = whole ] || sqlite3 "$world/$1/gradebook.sqlite" "
            DELETE FROM measurement; DELETE FROM grade; DELETE FROM total; DELETE FROM similar;
            DELETE FROM answer; DELETE FROM prediction; DELETE FROM refusal; DELETE FROM entry;
            DELETE FROM submission; DELETE FROM rubric"
    chmod 600 "$world/$1/gradebook.sqlite" 2>/dev/null
}
grade() {
    CUDA_VISIBLE_DEVICES='' exec build/grade grade --submissions "$world/submissions" --out "$world/$1" \
        --rubric "$world/rubric.ini" >>"$world/$1.log" 2>&1
}

begin whole
begun=$(date +%s)
(grade whole) || { tail -n 5 "$world/whole.log"; exit 1; }
whole=$(($(date +%s) - begun))

begin killed
state=$seed done=0
# Between two kills, a share of what the undisturbed run took: so that all of them come before the end.
while [ $done -lt "$kills" ]; do
    state=$(((state * 1103515245 + 12345) % 2147483648))
    (grade killed) &
    grader=$!
    sleep "$(awk -v r=$state -v whole=$whole -v kills="$kills" 'BEGIN { printf "%.2f", 0.2 + 1.6 * r / 2147483648 * whole / kills }')"
    kill -9 $grader 2>/dev/null || break
    wait $grader 2>/dev/null
    done=$((done + 1))
done
(grade killed) || { tail -n 5 "$world/killed.log"; exit 1; }
(grade killed) || { tail -n 5 "$world/killed.log"; exit 1; } # and once more, with nothing to do

# Each file's lines, sorted, without what tells a time of day or a duration.
export_of() {
    (cd "$world/$1" && find . -type f ! -name 'gradebook*' ! -path './tasks/*' -print0 | sort -z |
        while IFS= read -r -d '' file; do
            echo "== $file"
            sed -E "s,$world/$1,OUT,g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}Z?( UTC)?/TIME/g; s/(time|timestamp|execution_time|seconds)\"?[=:] ?\"?[0-9.]+/\1 TIME/g" "$file" | sort
        done)
}
export_of whole >"$world/whole.export"
export_of killed >"$world/killed.export"
left=$(find /tmp -maxdepth 1 -name 'course-grading.*' -newer "$world/whole.log" 2>/dev/null | wc -l)
rows=$(sqlite3 "$world/killed/gradebook.sqlite" "SELECT count(*) FROM measurement WHERE kind = 'check'")
[ -z "${KEEP-}" ] || cp -r "$world" "$KEEP"
if diff "$world/whole.export" "$world/killed.export" >"$world/difference"; then same=yes; else same=no; head -n 20 "$world/difference"; fi
echo "soak_kills: $count submissions, seed $seed, undisturbed $whole s; killed $done times and resumed: exports the same: $same ($(wc -l <"$world/whole.export") lines, $rows checks, $left folders of tasks left in /tmp)"
[ $same = yes ] && [ $done -eq "$kills" ]
