#!/bin/bash
# soak_speed.sh [TIMES]: step 02's solution, and step 01's handed in as 02, graded 20 times on an idle
# machine and 20 times beside a load on every core. Idle, at most one comparison of 20 may be
# inconclusive, the solution must pass and the predecessor fail; under load no verdict may flip. Prints
# the line that docs/soak.md records.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
times=${1:-20}
world=$(mktemp -d /tmp/soak.XXXXXX) || exit 1
chmod 755 "$world"
loads=
trap '[ -z "$loads" ] || kill $loads 2>/dev/null; rm -rf "$world"' EXIT
# The same file handed in by so many students: as many entries, each measured by itself. A comment
# keeps them apart.
for number in $(seq "$times"); do
    for step in 01_serial 02_openmp; do
        folder=$world/submissions/${step%%_*}-$number/02_openmp
        mkdir -p "$folder"
        { cat solutions/$step/nbody.c && echo "/* $number */"; } >"$folder/nbody.c"
    done
done

# grade_all NAME: prints a line: verdicts of the check and of speed, counted, for each of the two.
grade_all() {
    build/grade grade --submissions "$world/submissions" --out "$world/$1" >"$world/$1.log" 2>&1 ||
        { echo "$1: build/grade ended with $?: $(tail -n 1 "$world/$1.log")"; return 1; }
    sqlite3 -separator ' ' "$world/$1/gradebook.sqlite" "
        SELECT substr(student, 1, 2), 'check-' || outcome, count(*) FROM measurement
            JOIN entry ON entry = entry.id JOIN submission ON submission = submission.id
            WHERE student <> '*' AND kind = 'check' GROUP BY 1, 2;
        SELECT substr(student, 1, 2), 'speed-' || CASE state WHEN 'earned' THEN
                CASE WHEN points >= possible THEN 'full' WHEN points > 0 THEN 'part' ELSE 'none' END
                ELSE state END, count(*) FROM grade
            JOIN entry ON entry = entry.id JOIN submission ON submission = submission.id
            WHERE student <> '*' AND item = 'speed' GROUP BY 1, 2" >"$world/$1.counts"
    echo "soak_speed: $1, $times times: $(awk '{ printf "%s%s %s %d", (NR > 1 ? ", " : ""), ($1 == "01" ? "01 as 02" : "02"), $2, $3 }' "$world/$1.counts")"
}
# of NAME STUDENT WORD: how often.
of() { awk -v s="$2" -v w="$3" '$1 == s && $2 == w { n = $3 } END { print n + 0 }' "$world/$1.counts"; }

failed=0
grade_all idle || exit 1
for _ in $(seq "$(nproc)"); do
    (while :; do :; done) &
    loads="$loads $!"
done
grade_all loaded || exit 1
kill $loads && loads=
for run in idle loaded; do
    # A predecessor's check fails for its idea, a solution's passes.
    [ "$(of $run 02 check-accepted)" -eq "$times" ] && [ "$(of $run 01 check-idea)" -eq "$times" ] || failed=1
    # The predecessor never earns what speed is worth, the solution never nothing.
    [ "$(of $run 01 speed-full)" -eq 0 ] && [ "$(of $run 02 speed-none)" -eq 0 ] || failed=1
done
[ "$(of idle 02 speed-inconclusive)" -le $(((times + 19) / 20)) ] || failed=1
[ "$(of idle 02 speed-full)" -ge $((times - (times + 19) / 20)) ] || failed=1
[ $failed -eq 0 ] || echo "soak_speed: a verdict flipped, or too many are inconclusive"
exit $failed
