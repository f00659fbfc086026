#!/bin/sh
# devices.sh RECORD-facts.csv NN_name [DEVICES...]: how a step scales over the GPUs of this machine: 1, 2, 4 and
# 8 of them, as far as there are, or the numbers given. Strong scaling with n = 16384, 131072 and 1048576; weak
# scaling with n = 131072 on one device and n^2 in proportion to the devices. Each point is 10
# iterations, host to host, of the variants in VARIANTS (all no_overlap): one `make run`, whose output
# is checked, or for mpi one run of the build `standalone` by mpirun. Prints the points and adds each to
# the facts of the record's last run, as rate_gps_N_DEVICES.
# With one GPU and no numbers there is nothing to scale over. Wants GPUs and nvcc, and a record to which make bench
# has written.
set -eu

facts=${1:-}
case $facts in
*-facts.csv) ;;
*) echo "usage: devices.sh RECORD-facts.csv NN_name [DEVICES...]" >&2; exit 3 ;;
esac
step=${2:-}
[ -e "steps/$step/manifest" ] || { echo "devices.sh: there is no step '$step'; steps/ lists them" >&2; exit 4; }
shift 2
. common/report/tools/facts.sh
there=$(nvidia-smi --list-gpus 2>/dev/null | grep -c .) || true
[ $# -gt 0 ] || [ "$there" -ne 1 ] || { echo "this machine has one GPU: nothing to scale over"; exit; }
[ $# -gt 0 ] || set -- 1 2 4 8
case " ${VARIANTS:-} " in
*" mpi "*) mpi=$(build/referee standalone --step "$step" --of solutions --variant mpi | grep -o '[^ ]*/standalone' | head -n 1) ;;
esac

point() { # point VARIANT N DEVICES
    shown=$(seq -s, 0 $(($3 - 1)))
    if [ "$1" = mpi ]; then # the referee does not start several processes
        mpirun --bind-to none -n "$3" "$mpi" "$2" 10
    else
        CUDA_VISIBLE_DEVICES=$shown make -s run STEP="$step" OF=solutions VARIANT="$1" N="$2" ITERATIONS=10 JSON=1
    fi >"$out/said" || { echo "devices.sh: $1, n = $2 on $3 devices: failed" >&2; return 0; }
    rate=$(number rate_gps "$out/said")
    [ "$1" != mpi ] || rate=$(awk -v n="$2" '/ s from the input/ { printf "%.6g", 1e-8 * n * n / $1 }' "$out/said")
    [ -n "$rate" ] || fail "no GPU took part"
    echo "$run,$step,$1,rate_gps_$2_$3,$rate,G/s,measured" >"$out/row"
    cat "$out/row" >>"$out/rows"
    add_facts "$out/row"
    echo "$1 $2 $3 $rate"
}

echo "variant n devices G/s"
for devices in "$@"; do
    [ "$devices" -le "$there" ] || continue
    weak=$(awk -v p="$devices" 'BEGIN { printf "%d", 131072 * sqrt(p) }')
    for variant in ${VARIANTS:-all no_overlap}; do
        for n in $(printf "%s\n" 16384 131072 "$weak" 1048576 | sort -nu); do
            point "$variant" "$n" "$devices"
        done
    done
done
[ -s "$out/rows" ] || fail "nothing was measured"

awk -F, '
    { split($4, word, "_"); rate[$3, word[3], word[4]] = $5 }
    END {
        for (key in rate) {
            split(key, part, SUBSEP)
            if (part[3] == 1)
                continue
            if (!((part[1], 131072, 1) in rate))
                continue
            if (!((part[1], part[2], 1) in rate))
                printf "%s, n = %d on %d devices: weak scaling, efficiency %.3f\n", part[1], part[2],
                    part[3], rate[key] / rate[part[1], 131072, 1] / part[3]
            else
                printf "%s, n = %d on %d devices: efficiency %.3f\n", part[1], part[2], part[3],
                    rate[key] / rate[part[1], part[2], 1] / part[3]
        }
    }' "$out/rows" | sort
