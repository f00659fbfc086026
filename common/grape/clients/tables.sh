#!/bin/bash
# tables.sh BACKEND OUT N [TABLE ...]: installs the library below OUT, builds the clients and writes their measurements to
# OUT as CSV files: the tables of Belleman, Bedorf and Portegies Zwart (2008) for up to N stars. BACKEND is
# what the library's GRAPE6_BACKEND takes. TABLE is 1-2, 3-4, 5-6, 7-8, npipes or rates; all if none is given.
set -euo pipefail
export LC_ALL=C

[ $# -ge 3 ] || { echo "usage: common/grape/clients/tables.sh BACKEND OUT N [TABLE ...]" >&2; exit 3; }
export GRAPE6_BACKEND=$1
most=$3
wanted=" ${*:4} "
mkdir -p "$2"
out=$(cd "$2" && pwd)
cd "$(dirname "$0")/../../.."
export PKG_CONFIG_PATH=$out/grape6/lib/pkgconfig
make -s install PREFIX="$out/grape6" >/dev/null
make -s -C common/grape/clients BIN="$out/grape6/bin"
PATH=$out/grape6/bin:$PATH

machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed 1q), $(nproc) threads"
if [ "$GRAPE6_BACKEND" != cpu ]; then machine="$machine; $(nvidia-smi --query-gpu=name --format=csv,noheader | paste -sd,)"; fi

# begin TABLE FILE COLUMNS: fails if the table is not wanted.
begin() {
    case $wanted in "  " | *" $1 "*) ;; *) return 1 ;; esac
    csv=$out/$2
    printf '# %s; backend %s; %s; commit %s\n%s\n' "$machine" "$GRAPE6_BACKEND" "$(date -u +%FT%TZ)" \
        "$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)" "$3" >"$csv"
}

# sizes LEAST MOST: powers of two.
sizes() {
    for ((n = $1; n <= $2 && n <= most; n *= 2)); do echo "$n"; done
}

hermite_columns=n,eps,eta,seconds,blocks,steps,mean_block,energy_error,energy_error_double,energy,momentum
rate_columns=what,nj,ni,repeats,best,median,1e9_pairs_per_s,gflops_38,gflops_60,neighbours
softening=0.00390625

if begin 1-2 tables-1-2.csv $hermite_columns; then
    for n in $(sizes 256 1048576); do hermite "$n" 0.25 0.5 $softening 0.02 >>"$csv"; done
fi

# Kira's accuracy of 0.3 is the root of eta, and halved.
if begin 5-6 tables-5-6.csv $hermite_columns; then
    for eta in 0.09 0.0225; do
        for eps in $softening 0; do
            for n in $(sizes 256 1048576); do hermite "$n" 0 0.25 $eps $eta >>"$csv"; done
        done
    done
fi

if begin 7-8 tables-7-8.csv n,ncrit,theta,dt,mode,seconds,mean_list,energy_error,energy; then
    for n in $(sizes 256 1048576); do
        for ncrit in 8192 16384 32768; do
            [ $((ncrit / 2)) -lt "$n" ] || [ $ncrit = 8192 ] || continue
            for mode in normal lean; do tree "$n" $ncrit 0.75 0.015625 1 $mode >>"$csv"; done
        done
    done
fi

if begin npipes npipes.csv pipes,$hermite_columns; then
    for pipes in 16 48 128 512 2048 8192 16384; do
        n=$((most < 16384 ? most : 16384))
        row=$(GRAPE6_PIPES=$pipes hermite "$n" 0.0625 0.125 $softening 0.02)
        echo "$pipes,$row" >>"$csv"
    done
fi

if begin 3-4 tables-3-4.csv $rate_columns; then rates squares $((most * most)) >>"$csv"; fi
if begin rates rates.csv $rate_columns; then rates blocks $((most * most)) >>"$csv"; fi
