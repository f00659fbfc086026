#!/bin/sh
# What takes longer than a test may: the check of all solutions with many seeds, and the ladder many
# times, whose verdicts must not depend on the seed. Prints what docs/soak.md records.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
seeds=5
ladders=3
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT
failed=0

seed=1
while [ "$seed" -le "$seeds" ]; do
    build/referee check --of solutions --seed "$seed" >"$results/check" 2>&1 || {
        failed=$((failed + 1))
        echo "seed $seed:"
        cat "$results/check"
    }
    seed=$((seed + 1))
done
echo "check of all solutions: $seeds seeds, $failed failed"

count=1
while [ "$count" -le "$ladders" ]; do
    build/referee ladder --results "$results" --machine soak >/dev/null 2>&1
    count=$((count + 1))
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "verdict") at = i; next }
    { split($at, verdict, ":"); rows++; busy += $at ~ /:busy/
      seen[verdict[2] == "expected" ? "expected" : verdict[1]]++ }
    END { printf "ladder: '"$ladders"' times, %d rows, %d of them busy;", rows, busy
          for (word in seen) printf " %s %d", word, seen[word]
          print ""
          for (word in seen) if (word !~ /^(accepted|expected|inconclusive)$/) exit 1 }' \
    "$results/soak.csv" || failed=$((failed + 1))
# Half precision on the CPU: 17 billion interactions, which is why no test has them.
build/referee bench --step 10 --of solutions --variant seed --n 65536 --backend cpucuda --results "$results" \
    --machine half >/dev/null 2>"$results/errors" || cat "$results/errors"
awk -f common/tests/figure_12.awk "$results/half.csv" || failed=$((failed + 1))
# The kernels of test_kernels.c, wrong and right: a fault of CUDA compiles.
if command -v "${NVCC:-nvcc}" >/dev/null; then
    mkdir "$results/kernels"
    KERNELS=$results/kernels build/tests/test_kernels >/dev/null 2>&1 || failed=$((failed + 1))
    rm -f "$results/kernels/lacks.cu" # calls what CUDA has not
    for step in "$results"/kernels/*.cu; do
        "${NVCC:-nvcc}" -Icommon/include -Icommon/kit -o "$results/object" -c "$step" || {
            failed=$((failed + 1))
            echo "$step: nvcc does not take it"
        }
    done
    echo "kernels compiled by nvcc: $(ls "$results"/kernels/*.cu | wc -l)"
    # What measured the notes' numbers; if it includes the step's source, with the flags of the default variant.
    make -s -C common ../build/problems.a
    grep -l '^int main' solutions/*/*.cu >"$results/programs"
    while read -r program; do
        manifest=steps/$(basename "${program%/*}")/manifest
        first=$(sed -n 's/^variants = *\([^ ]*\).*/\1/p' "$manifest")
        flags=$(grep -q '^#include.*\(SOURCE\|[.]cu\)' "$program" && sed -nE "s/^(flags|variant_$first) = *//p" "$manifest")
        # shellcheck disable=SC2086 # one word for each flag
        "${NVCC:-nvcc}" -std=c++17 -gencode arch=compute_90a,code=sm_90a $flags \
            -DSOURCE="\"$(sed -n 's/^source = //p' "$manifest")\"" -Icommon -Icommon/include -Icommon/kit \
            -Xcompiler -fopenmp -o "$results/object" "$program" build/problems.a -lcuda || failed=$((failed + 1))
    done <"$results/programs"
    echo "programs that measure, compiled by nvcc: $(wc -l <"$results/programs")"
fi

# The grader: 300 submissions, 20 kills, one submission forty times, and what hostile ones earn.
for soak in grading/tests/soak_*.sh; do
    bash "$soak" || failed=$((failed + 1))
done
for level in 2 1; do
    bash grading/tests/hostile.sh $level >"$results/hostile" || failed=$((failed + 1))
    tail -n 3 "$results/hostile"
done

[ "$failed" -eq 0 ]
