#!/bin/bash
# survey.sh OUT [PART ...]: builds measure.cu and writes to OUT, as CSV files, what the figures of "Gravitational octree
# code performance evaluation on Volta GPU" (Miki 2018) need: step 43 with the galaxy M31 of step 44. PART is accuracy,
# bodies, counts, energy, table-2 or devices; all if none is given. At most N bodies (2^23; for bodies 2^25), in leaves
# of LEAF (64); accuracies are 2^-E for each E in EXPONENTS: at 2^23 bodies those of counts take 100 s each or more. A
# row that fails is reported, and the others are still measured. Wants a GPU, nvcc and, for counts, ncu in PATH.
set -euo pipefail
export LC_ALL=C

[ $# -ge 1 ] || { echo "usage: solutions/43_tree_steps/survey.sh OUT [PART ...]" >&2; exit 3; }
wanted=" ${*:2} "
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
n=${N:-$((1 << 23))}
leaf=${LEAF:-64}
eta=0.0125
failed=0
make -s -C common ../build/problems.a

# program NAME KEPT MEAN_PLACE [KIT]: measure.cu as scratch/NAME; KIT is a folder with the kit's headers.
program() {
    nvcc -O3 -std=c++17 -arch=native -ftz=true "-DKEPT=$2" "-DMEAN_PLACE=$3" ${DEVICES--DDEVICES=1} -DSOURCE='"orbits.cu"' -Icommon \
        -Icommon/include "-I${4:-common/kit}" -Xcompiler -fopenmp -o "$scratch/$1" solutions/43_tree_steps/measure.cu \
        build/problems.a
}

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed 1q), $(nproc) threads"
machine="$machine; $(nvidia-smi --query-gpu=name --format=csv,noheader | paste -sd,)"

# begin PART COLUMNS: fails if the part is not wanted.
begin() {
    case $wanted in "  " | *" $1 "*) ;; *) return 1 ;; esac
    csv=$out/$1.csv
    printf '# %s; %s; commit %s\n%s\n' "$machine" "$(date -u +%FT%TZ)" \
        "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)" "$2" >"$csv"
}

report() {
    echo "survey.sh: failed: $*" >&2
    failed=1
}

# row KEYS PROGRAM ARGUMENT ...: keys, and the values that the program prints.
row() {
    if timeout 300 "$scratch/$2" "${@:3}" >"$scratch/said"; then
        echo "$1,$(awk '{ print $2 }' "$scratch/said" | paste -sd,)" >>"$csv"
    else
        report "${@:2}"
    fi
}

# power E: 2 to the power of -E.
power() { awk -v e="$1" 'BEGIN { printf "%.10g", 2 ^ -e }'; }

seconds=seconds_per_step,block_steps,steps_per_tree,due,tree,choose,follow,walk,exchange
usual=$(power 9)
program tuned 0 1

if begin accuracy n,leaf,accuracy,$seconds; then
    for e in ${EXPONENTS:-$(seq 20)}; do
        a=$(power "$e")
        row "$n,$leaf,$a" tuned seconds m31 "$n" "$leaf" "$a" $eta $((e <= 12 ? 8 : 2))
    done
fi

if begin bodies n,leaf,accuracy,$seconds; then
    for bodies in $({ seq 10 25 | awk '{ print 2 ^ $1 }'; echo $((25 << 20)); } | sort -n); do
        [ "$bodies" -le "${N:-$bodies}" ] || continue
        row "$bodies,$leaf,$usual" tuned seconds m31 "$bodies" "$leaf" "$usual" $eta $((bodies < 1 << 20 ? 16 : 8))
    done
fi

# The walks of one interval: not the first one, which knows no accelerations; the last one is for all bodies. Trees are
# kept for two block steps, since ncu makes a tuner's times useless. Instructions are those of threads; roots are all
# that the special function unit (xu) executes, with a few conversions and population counts.
if begin counts what,n,leaf,accuracy,walks,integer,ffma,fmul,fadd,roots,of_warps,seconds,flops,share_of_peak; then
    metrics=$(printf 'smsp__sass_thread_inst_executed_op_%s_pred_on.sum,' integer ffma fmul fadd)
    metrics+=smsp__inst_executed_pipe_xu.sum,smsp__inst_executed.sum,gpu__time_duration.sum
    program two 2 1
    for e in ${EXPONENTS:-1 3 5 7 9 11 14 17 20}; do
        a=$(power "$e")
        timeout 300 ncu --csv --clock-control none --cache-control none --print-units base -k regex:walk_due \
            --launch-skip 1 --metrics "$metrics" "$scratch/two" steps m31 "$n" "$leaf" "$a" $eta 1 >"$scratch/said" || :
        awk -v metrics="$metrics" -v keys="$n,$leaf,$a" -f solutions/43_tree_steps/counts.awk "$scratch/said" \
            >>"$csv" || report "counts at 2^-$e: $(grep -m 3 ==ERROR== "$scratch/said")"
    done
fi

# 262 intervals are a billion years. The places of the leapfrog are not corrected.
if begin energy variant,n,leaf,accuracy,eta,seconds,block_steps,steps_per_tree,energy_error; then
    program leapfrog 0 0
    for of in 131072,9,{0.1,0.05,0.025,0.0125} 131072,13,0.0125 {262144,1048576},9,0.0125; do
        IFS=, read -r bodies e of_step <<<"$of"
        bodies=$((bodies < n ? bodies : n))
        a=$(power "$e")
        for variant in tuned leapfrog; do
            row "$variant,$bodies,$leaf,$a,$of_step" $variant energy m31 "$bodies" "$leaf" "$a" "$of_step" 262
        done
    done
fi

# Threads per block of all functions, and blocks per multiprocessor of the walk; others have 1024 threads there.
if begin table-2 threads,walk_blocks,n,leaf,accuracy,$seconds; then
    for of in 128,{4,6,8} 256,{2,3,4} 512,{1,2}; do
        IFS=, read -r threads blocks <<<"$of"
        cp -r common/kit/. "$scratch/kit"
        for change in " THREADS = 256/ THREADS = $threads" " BLOCKS = 4/ BLOCKS = $((1024 / threads))" \
            "WALK_BLOCKS = 2/WALK_BLOCKS = $blocks" "TILE_ROUNDS = 4/TILE_ROUNDS = $((1024 / threads))"; do
            grep -q "${change%/*}" "$scratch"/kit/{octree,errand,orbiters}.h || report "nothing is $change"
            sed -i "s/$change/" "$scratch"/kit/{octree,errand,orbiters}.h
        done
        program "$threads" 0 1 "$scratch/kit" || { report "no program for $of"; continue; }
        row "$threads,$blocks,$n,$leaf,$usual" "$threads" seconds m31 "$n" "$leaf" "$usual" $eta 8
    done
fi

# Of 1, 2, 4 ... devices, as far as there are, which copy what has moved or, if that is there, send it by NCCL. Trees are
# kept for four block steps, so that all walk trees of one age.
if begin devices by,devices,n,leaf,accuracy,$seconds; then
    DEVICES=-DDEVICES=0 program copies 4 1
    DEVICES='-DDEVICES=0 -DEXCHANGE_NCCL -lnccl' program nccl 4 1 || echo "survey.sh: without NCCL" >&2
    for devices in 1 2 4 8 16; do
        [ "$devices" -le "$(nvidia-smi --list-gpus | wc -l)" ] || break
        for by in copies nccl; do
            [ -x "$scratch/$by" ] || continue
            for bodies in 131072 1048576 8388608; do
                [ "$bodies" -le "$n" ] || continue
                CUDA_VISIBLE_DEVICES=$(seq -s, 0 $((devices - 1))) row "$by,$devices,$bodies,$leaf,$usual" \
                    "$by" seconds m31 "$bodies" "$leaf" "$usual" $eta 8
            done
        done
    done
fi
exit $failed
