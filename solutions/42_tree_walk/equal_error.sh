#!/bin/bash
# equal_error.sh FOLDER: from which n on is a tree faster than all pairs, at equal error? Measures steps 42, 14 and 16
# with equal_error.cu and writes FOLDER/equal-error.csv, unless that file exists; this needs a GPU and nvcc. Then it
# draws FOLDER/equal-error.svg: for an error, the least time of a tree with at most that error in 99% of the bodies.
set -euo pipefail
export LC_ALL=C

[ $# -eq 1 ] || { echo "usage: solutions/42_tree_walk/equal_error.sh FOLDER" >&2; exit 3; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
csv=$out/equal-error.csv
here=common/report/pictures
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# program NAME SOURCE FLAG ...: equal_error.cu with a step's source as scratch/NAME.
program() {
    nvcc -O3 -std=c++17 -arch=native -ftz=true "${@:3}" "-DSOURCE=\"../$2\"" -Icommon -Icommon/include -Icommon/kit \
        -Xcompiler -fopenmp -o "$scratch/$1" solutions/42_tree_walk/equal_error.cu build/problems.a
}

# measure LEAST MOST PROGRAM ...: powers of two of bodies.
measure() {
    for program in "${@:3}"; do
        for ((e = $1; e <= $2; e++)); do
            "$scratch/$program" "$program" $((1 << e)) >>"$scratch/rows"
        done
    done
}

measure_all() {
    make -s -C common ../build/problems.a
    tree=(42_tree_walk/walk.cu -DCUT=1 -DHILBERT=1 -DMOMENTS=0)
    halves=(16_tensor_cores/nbody.cu -DHALVES_NEARBY=2 -DTHIRD_LAW=1 -DFLOAT_SUMS=0)
    program one "${tree[@]}" -DPER_LANE=1
    program two "${tree[@]}" -DPER_LANE=2
    program chosen 14_register_blocking/nbody.cu -DTHREADS=256
    program two_halves "${halves[@]}" -DTENSOR_CORES=1
    program fp32 "${halves[@]}" -DTENSOR_CORES=0
    measure 10 20 chosen two_halves fp32
    measure 10 22 one two
    {
        printf '# %s; %s; commit %s\nprogram,n,accuracy,median,p99,seconds\n' \
            "$(nvidia-smi --query-gpu=name --format=csv,noheader | paste -sd,)" "$(date -u +%FT%TZ)" \
            "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)"
        cat "$scratch/rows"
    } >"$csv.part"
    mv "$csv.part" "$csv"
}

[ -e "$csv" ] || measure_all
. $here/plot.sh
awk -f solutions/42_tree_walk/equal_error.awk -f $here/record.awk -f $here/chosen.awk -f $here/crossing.awk "$csv" >"$scratch/gp"
plot equal-error "Seconds for the forces on all bodies over n: of all pairs, and of trees with four errors" \
    "$scratch/gp" $here/crossing.gp
