#!/bin/sh
# cpu_cuda.sh RECORD-facts.csv NN_name:VARIANT...: CUDA C on a CPU against C, as in figure 8.8.16 of the textbook chapter
# that Part II follows. Builds variants of steps in CUDA C with cpucuda's build `fast` and of
# steps in C, both without the referee; times each on one core and on all; adds its rates to the facts,
# as a run of its own: standalone_rate_t1 and standalone_rate_t16. cpucuda keeps its checks of launches,
# barriers and copies, which are outside the loop over pairs. For maintainers, on a quiet machine.
set -eu

[ $# -gt 1 ] || { echo "usage: cpu_cuda.sh RECORD-facts.csv NN_name:VARIANT..." >&2; exit 3; }
facts=$1
shift
. common/report/tools/facts.sh
run=$(date -u +%Y%m%dT%H%M%SZ)-$$
cores=$(nproc)

# build STEP SOURCE BUILD: its programs, as rows of players.tsv
build() {
    problem=$(awk -F'\t' -v step="$1" '$1 == step { print $3 }' "$out/steps.tsv")
    SOURCE=$PWD/solutions/$1/$2 SHOWN=solutions/$1/$2 make -s --no-print-directory -C "steps/$1" players \
        NAME="$2" OUT="$out/$1" PROBLEM="$problem" BUILDS="$3"
    cat "$out/$1/players.tsv"
}

# time_program PROGRAM THREADS ITERATIONS: a line of times, "PROGRAM THREADS N ITERATIONS SECONDS"
time_program() {
    n=$([ "$2" -eq 1 ] && echo 4096 || echo 16384)
    begin=$(date +%s%N)
    OMP_NUM_THREADS=$2 CPUCUDA_WORKERS=$2 "$1" "$n" "$3" >/dev/null
    echo "$1 $2 $n $3 $(($(date +%s%N) - begin))"
}

make -s referee
common/report/steps.sh >"$out/steps.tsv"
for wanted; do
    step=${wanted%:*}
    source=$(awk -F'\t' -v step="$step" '$1 == step { print $4 }' "$out/steps.tsv")
    case $source in *.cu) build=fast ;; *) build=standalone ;; esac
    build "$step" "$source" $build | grep "^${wanted#*:}	" >>"$out/programs" || exit 1
    echo "$step" >>"$out/steps"
done
paste "$out/steps" "$out/programs" >"$out/all"

# In turns, so that a busy moment of the machine is no program's own; of each the least time counts.
for _ in 1 2 3; do
    while IFS='	' read -r _ _ _ backend uses _ _ program; do
        for threads in 1 $([ "$backend $uses" = "cpu one" ] || [ "$cores" -eq 1 ] || echo "$cores"); do
            time_program "$program" "$threads" 3
            time_program "$program" "$threads" 23
        done
    done <"$out/all"
done >"$out/times"

# What is not an iteration is in both times, and subtracted.
awk -v run="$run" '
    FS == " " {
        key = $1 " " $2
        n[key] = $3
        if (!((key, $4) in least) || $5 < least[key, $4])
            least[key, $4] = $5
        next
    }
    {
        gsub(/,/, ";", $7)
        for (key in n) {
            split(key, part, " ")
            if (part[1] == $8)
                printf "%s,%s,%s,standalone_rate_t%d,%.6g,1/s,%s %s\n", run, $1, $2, part[2],
                    20e9 * n[key] ^ 2 / (least[key, 23] - least[key, 3]), $6, $7
        }
    }' "$out/times" FS='	' "$out/all" >"$out/rows"
add_facts "$out/rows"
cat "$out/rows"
