#!/bin/sh
# record.sh RECORD-facts.csv: what `make record` measures of this step beside its rows: measure.cu's times for
# the paper's figures 2 and 3 and table 2, what model.sh fits to them, and the carve-out. The lines of measure.cu are
# kept beside the record, as RECORD-times.tsv.
set -eu

step=15_threads_per_body
facts=$1
. common/report/tools/facts.sh
times=${facts%-facts.csv}-times.tsv
sm=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader --id=0 | tr -d .)

# build NAME FLAG...: in the background
build() {
    name=$1
    shift
    "${NVCC-nvcc}" -O3 "-arch=sm_$sm" -ftz=true -Icommon/include -Icommon/kit -DONE_BODY "$@" \
        -o "$out/$name" "solutions/$step/measure.cu" &
}

for t in 1 2 4 8 16; do
    build exchange_$t -DLANES=$t -DEXCHANGE
    [ $t -eq 1 ] && continue
    build block_$t -DLANES=1 -DROWS=$t
    build softening_last_$t -DLANES=1 -DROWS=$t -DSOFTENING_LAST
done
build eight_products -DLANES=1 -DEXCHANGE -DROOT=eight_products
wait

for t in 1 2 4 8 16; do
    "$out/exchange_$t" 262144
    [ $t -eq 1 ] && continue
    "$out/block_$t" 262144
    "$out/softening_last_$t" 262144
done >"$out/times.tsv"
{
    "$out/exchange_1" 1048576 1048576
    "$out/eight_products" 1048576 1048576
    "$out/exchange_16" 524288 524288
    "$out/exchange_16" 524288 256
} | sed '/^#/d' >>"$out/times.tsv"
common/report/pictures/model.sh "$out/times.tsv" "$out" "run=$run" "step=$step" >"$out/said"
"$out/exchange_4" carveout | awk -v run="$run" -v step="$step" -v OFS=, '
    sub(/^carve-out /, "") {
        sub(/%:/, "")
        print run, step, "exchange_4", "carveout_" $1, $5, "s", "measure.cu"
    }' >>"$out/model-facts.csv"
add_facts "$out/model-facts.csv"
mv "$out/times.tsv" "$times"
