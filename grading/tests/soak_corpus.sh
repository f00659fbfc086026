#!/bin/bash
# soak_corpus.sh [COUNT [SEED [LAST]]]: grades a corpus of 300 submissions of the steps 01 to LAST (12)
# without a GPU, on 2 cores, and holds every check's outcome against what corpus.sh expects. Prints
# the lines that docs/soak.md records; fails where an outcome differs, or where 300 submissions would
# take over 35 minutes: checks two at a time, speeds one.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
count=${1:-300} seed=${2:-1} last=${3:-12}
world=$(mktemp -d /tmp/soak.XXXXXX) || exit 1
chmod 755 "$world"
trap 'rm -rf "$world"' EXIT
grading/tests/corpus.sh "$seed" "$world" "$count" "$last" || exit 1

begun=$(date +%s)
CUDA_VISIBLE_DEVICES='' taskset -c 0,1 build/grade grade --submissions "$world/submissions" --out "$world/out" \
    --rubric "${RUBRIC:-grading/rubric.ini}" >"$world/log" 2>&1 &
grader=$!
# The most memory that the grader and all below it held at once, sampled; shared pages count once each.
peak=0
while kill -0 $grader 2>/dev/null; do
    now=$(ps -e -o pid=,ppid=,rss= | awk -v root=$grader '
        { parent[$1] = $2; rss[$1] = $3 }
        END { for (p in rss) { for (q = p; q in parent && q != root; q = parent[q]); if (q == root) sum += rss[p] }
              printf "%d", sum / 1024 }')
    [ "$now" -le "$peak" ] || peak=$now
    sleep 0.5
done
wait $grader
status=$?
seconds=$(($(date +%s) - begun))
[ -z "${KEEP-}" ] || cp -r "$world" "$KEEP"
[ $status -eq 0 ] || { echo "soak_corpus: build/grade ended with $status"; tail -n 5 "$world/log"; exit 1; }

sqlite3 -separator "$(printf '\t')" "$world/out/gradebook.sqlite" "
    SELECT student, step, outcome FROM entry JOIN submission ON submission = submission.id
        JOIN measurement ON measurement.entry = entry.id AND kind = 'check' WHERE student <> '*'" |
    awk -F'\t' 'FNR == NR { outcome[$1] = $3; next }
        { want = $4; got = ($1 in outcome) ? outcome[$1] : "-"
          right = want ~ /^!/ ? got != substr(want, 2) && got != "-" : index("," want ",", "," got ",") > 0
          kinds[$3]++
          if (!right) { wrong++; print "differs: " $1 " " $2 ", " $3 ": " got ", expected " want } }
        END { for (k in kinds) list = list (list ? ", " : "") kinds[k] " " k
              printf "outcomes: %d as expected, %d differ (%s)\n", FNR - wrong, wrong, list
              exit wrong > 0 }' - "$world/expected.tsv"
wrong=$?
echo "soak_corpus: $count submissions of 01 to $last, seed $seed, without a GPU on 2 cores: $seconds s, at most $peak MiB at once"
sqlite3 -separator ' ' "$world/out/gradebook.sqlite" "
    SELECT total(seconds * (student = '*')), total(seconds * (student <> '*' AND kind = 'check')),
        total(seconds * (kind = 'speed')), total(kind = 'speed')
    FROM measurement JOIN entry ON entry = entry.id JOIN submission ON submission = submission.id" |
    awk -v count="$count" '{
        all = $1 / 2 + ($2 / 2 + $3) * 300 / count
        printf "soak_corpus: solutions %.0f s, checks %.0f s, %d speeds %.0f s; ", $1, $2, $4, $3
        printf "300 such submissions: %.0f minutes, %.0f of them speed\n", all / 60, $3 * 5 / count
        exit all > 35 * 60 }' && [ $wrong -eq 0 ]
