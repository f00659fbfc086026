#!/bin/sh
# cpu_cuda.sh RECORD-facts.csv: CUDA C on a CPU against C, as in figure 8.8.16 of the textbook chapter
# that Part II follows. Builds default variants of steps in CUDA C with cpucuda's build `fast` and
# steps in C, both without the referee; times each on one core and on all; adds its rates to the facts
# of the record's last run, as alone_rate_t1 and alone_rate_t16. cpucuda keeps its checks of launches,
# barriers and copies, which are outside the loop over pairs. For maintainers, on a quiet machine.
set -eu
in_c="01_serial:gcc_O3_native 01_serial:gcc_fast 02_openmp:static 13_cpu_simd:omp_simd 13_cpu_simd:chosen"
in_cuda="03_cuda_naive 04_soa 05_tiling 08_rsqrt 12_float4"

[ $# -eq 1 ] || { echo "usage: cpu_cuda.sh RECORD-facts.csv" >&2; exit 3; }
facts=$1
[ -s "$facts" ] || { echo "cpu_cuda.sh: $facts is empty or not there; make bench writes it" >&2; exit 1; }
run=$(tail -n 1 "$facts" | cut -d, -f1)
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

# seconds PROGRAM THREADS N ITERATIONS: the least of three runs
seconds() {
    for _ in 1 2 3; do
        begin=$(date +%s%N)
        OMP_NUM_THREADS=$2 CPUCUDA_WORKERS=$2 "$1" "$3" "$4" >/dev/null || exit 1
        echo $(($(date +%s%N) - begin))
    done | sort -n | awk 'NR == 1 { print $1 / 1e9 }'
}

# rate STEP VARIANT COMPILER FLAGS PROGRAM THREADS: a row; what is not an iteration is subtracted
rate() {
    n=$([ "$6" -eq 1 ] && echo 4096 || echo 16384)
    short=$(seconds "$5" "$6" "$n" 3)
    long=$(seconds "$5" "$6" "$n" 23)
    awk -v n="$n" -v run="$run" -v step="$1" -v variant="$2" -v threads="$6" -v source="$3 $4" \
        -v seconds="$short $long" 'BEGIN {
            split(seconds, of, " ")
            gsub(/,/, ";", source)
            printf "%s,%s,%s,alone_rate_t%d,%.6g,1/s,%s\n",
                run, step, variant, threads, 20 * n * n / (of[2] - of[1]), source
        }'
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
while IFS='	' read -r step variant _ _ _ compiler flags program; do
    rate "$step" "$variant" "$compiler" "$flags" "$program" 1
    [ "$step" = 01_serial ] || [ "$cores" -eq 1 ] || rate "$step" "$variant" "$compiler" "$flags" "$program" "$cores"
done <"$out/all" >"$out/rows"
cat "$out/rows" >>"$facts"
cat "$out/rows"
