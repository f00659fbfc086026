#!/bin/sh
# count_known.sh RECORD-facts.csv: the kernels of common/tests/cpucuda/known.cu, counted by cpucuda's
# trace and, where ncu is in PATH (COUNT_NCU= leaves it out), on the GPU. Prints both and adds them to the facts of the record's
# last run. Without an argument it only prints.
set -eu
cd "$(dirname "$0")/../../.."
facts=${1:-}
source=common/tests/cpucuda/known.cu
. common/report/tools/facts.sh

make -s -C common >&2
build/cuda_to_cpp $source >"$out/known.cpp"
${CXX:-g++} -std=gnu++17 -O1 -g -fsanitize=thread -fno-unroll-loops -Wno-unknown-pragmas \
    -include cuda_runtime.h -isystem common/cpucuda/include -Icommon/include -Icommon/kit -Icommon \
    -c -o "$out/known.o" "$out/known.cpp"
${CXX:-g++} -pthread -o "$out/trace" "$out/known.o" build/common/cpucuda/engine/*.o
"$out/trace" | awk '{
    if ($2) { print $1, "trace_global_loads", $2; print $1, "trace_global_sectors", $3 }
    if ($4) { print $1, "trace_shared_loads", $4; print $1, "trace_shared_wavefronts", $5 }
}' >"$out/counts"
ncu=${COUNT_NCU-ncu} # empty: without
if [ -n "$ncu" ] && command -v "$ncu" >/dev/null; then
    nvcc -O3 -arch=native -Icommon/include -Icommon/kit -o "$out/known" $source
    global=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    shared=smsp__inst_executed_op_shared_ld.sum
    wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    "$ncu" --csv --clock-control none --print-units base --metrics $global,$sectors,$shared,$wavefronts "$out/known" |
        awk -F'","' -v global=$global -v sectors=$sectors -v shared=$shared \
            -v wavefronts=$wavefronts '
            BEGIN {
                name[global] = "ncu_global_loads"; name[sectors] = "ncu_global_sectors"
                name[shared] = "ncu_shared_loads"; name[wavefronts] = "ncu_shared_wavefronts"
            }
            /^"[0-9]/ {
                value = $NF; gsub(/[",]/, "", value)
                kernel = $5; sub(/\(.*/, "", kernel)
                if (value + 0) print kernel, name[$(NF - 2)], value
            }' >>"$out/counts"
fi
sort "$out/counts"
[ -n "$facts" ] || exit 0
awk -v run="$run" '{ printf "%s,known_kernels,%s,%s,%s,1/launch,%s\n", run, $1, $2, $3,
    $2 ~ /^ncu/ ? "ncu" : "cpucuda" }' "$out/counts" >"$out/rows"
add_facts "$out/rows"
