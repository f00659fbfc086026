#!/bin/sh
# cpu_cuda.sh RECORD-facts.csv: CUDA C on a CPU against C, as in figure 8.8.16 of the textbook chapter
# that Part II follows. Builds default variants of steps in CUDA C with cpucuda's build `fast` and
# steps in C, both without the referee; times each on one core and on all; adds its rates to the facts,
# as a run of its own: alone_rate_t1 and alone_rate_t16. cpucuda keeps its checks of launches,
# barriers and copies, which are outside the loop over pairs. For maintainers, on a quiet machine.
set -eu
export LC_ALL=C
in_c="01_serial:gcc_O3_native 01_serial:gcc_fast 02_openmp:static 13_cpu_simd:omp_simd 13_cpu_simd:chosen"
in_cuda="03_cuda_naive 04_soa 05_tiling 08_rsqrt 12_float4"

[ $# -eq 1 ] || { echo "usage: cpu_cuda.sh RECORD-facts.csv" >&2; exit 3; }
facts=$1
[ -s "$facts" ] || { echo "cpu_cuda.sh: $facts is empty or not there; make bench writes it" >&2; exit 1; }
run=$(date -u +%Y%m%dT%H%M%SZ)-$$
cores=$(nproc)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# build STEP SOURCE BUILD: its programs, as rows of players.tsv
build() {
    problem=$(awk -F'\t' -v step="$1" '$1 == step { print $3 }' steps/catalogue.tsv)
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
for wanted in $in_c; do
    build "${wanted%:*}" nbody.c alone | grep "^${wanted#*:}	" >>"$out/programs" || exit 1
    echo "${wanted%:*}" >>"$out/steps"
done
for step in $in_cuda; do
    build "$step" nbody.cu fast | head -n 1 >>"$out/programs"
    echo "$step" >>"$out/steps"
done
paste "$out/steps" "$out/programs" >"$out/all"

# In turns, so that a busy moment of the machine is no program's own; of each the least time counts.
for _ in 1 2 3; do
    while IFS='	' read -r step _ _ _ _ _ _ program; do
        for threads in 1 $([ "$step" = 01_serial ] || [ "$cores" -eq 1 ] || echo "$cores"); do
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
                printf "%s,%s,%s,alone_rate_t%d,%.6g,1/s,%s %s\n", run, $1, $2, part[2],
                    20e9 * n[key] ^ 2 / (least[key, 23] - least[key, 3]), $6, $7
        }
    }' "$out/times" FS='	' "$out/all" >"$out/rows"
cat "$out/rows" >>"$facts"
cat "$out/rows"
