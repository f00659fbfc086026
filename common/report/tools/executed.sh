#!/bin/sh
# executed.sh PROGRAM N WORK UNIT: runs the program, a step's build `standalone`, at size N for one iteration
# under ncu, and prints what the kernel that executes most does, as lines
#   name value unit
# Counts are per unit of work, of which an iteration has WORK, and one is called UNIT: in N-body N * N,
# interaction. What ncu counts by warps is an instruction of 32 units. The last lines are what warps wait
# for, stall_long_scoreboard and so on, in cycles of a warp per instruction, the longest last; not_selected is
# how long a warp is ready and not taken. Of many launches the first 20 are counted. Wants a GPU, and ncu in
# PATH.
set -eu
[ $# -eq 4 ] || { echo "usage: executed.sh PROGRAM N WORK UNIT" >&2; exit 3; }
program=$1
n=$2
per=1/$4
facts=
. common/report/tools/facts.sh
command -v ncu >/dev/null || fail "ncu is not in PATH"

# ncu's name, ours, and how often it is counted.
cat >"$out/metrics" <<END
smsp__inst_executed.sum slots $per
smsp__inst_executed_pipe_fma.sum fma $per
smsp__inst_executed_pipe_alu.sum alu $per
smsp__inst_executed_pipe_xu.sum mufu $per
sm__inst_executed_pipe_tensor.sum tensor $per
smsp__inst_executed_op_shared_ld.sum shared_loads $per
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum shared_wavefronts $per
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum global_requests $per
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum global_sectors $per
l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum global_sector_hits $per
lts__t_bytes.sum l2_bytes B/$4
dram__bytes.sum dram_bytes B/$4
smsp__issue_active.avg.pct_of_peak_sustained_active issue_active %
launch__registers_per_thread registers 1/thread
launch__block_size threads 1/block
END
# The warp states of Nsight Compute's Kernel Profiling Guide that compute capabilities 7.5 to 9.0 share,
# without those that take the instruction, `selected`.
for stall in barrier branch_resolving dispatch_stall drain imc_miss lg_throttle long_scoreboard \
    math_pipe_throttle membar mio_throttle misc no_instruction short_scoreboard sleeping \
    tex_throttle wait; do
    echo "smsp__average_warps_issue_stalled_${stall}_per_issue_active.ratio stall_$stall stalled"
done >>"$out/metrics"
echo smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio not_selected cycles \
    >>"$out/metrics"

# ncu reports its own errors on stdout.
timeout 300 ncu --csv --clock-control none --print-units base --launch-count 20 \
    --metrics "$(cut -d' ' -f1 "$out/metrics" | paste -sd,)" "$program" "$n" 1 \
    >"$out/counts" 2>"$out/errors" </dev/null || true
if grep -q ERR_NVGPUCTRPERM "$out/counts" "$out/errors"; then
    fail "ncu may not read this GPU's counters: run it as root, or have them allowed to all users \
(https://developer.nvidia.com/ERR_NVGPUCTRPERM)"
fi

# Fields are quoted, the first is the kernel's number, the last three a metric's name, unit and value.
awk -F'","' -v work="$3" -v per="$per" -v bytes="B/$4" '
    FNR == NR {
        split($0, word, " ")
        order[++metrics] = word[1]
        name[word[1]] = word[2]
        unit[word[1]] = word[3]
        next
    }
    /^"[0-9]/ {
        value = $NF
        gsub(/[",]/, "", value)
        count[$1, $(NF - 2)] = value
        if ($(NF - 2) == "smsp__inst_executed.sum" && value + 0 > most) {
            most = value + 0
            kernel = $1
        }
    }
    END {
        if (!most)
            exit 1
        for (i = 1; i <= metrics; i++) {
            metric = order[i]
            if (!((kernel, metric) in count))
                continue
            value = count[kernel, metric] / (unit[metric] == per ? work / 32 : unit[metric] == bytes ? work : 1)
            if (unit[metric] != "stalled")
                printf "%s %.6g %s\n", name[metric], value, unit[metric]
            else if (value >= 0.005)
                printf "%s %.6g cycles\n", name[metric], value
        }
    }' "$out/metrics" "$out/counts" >"$out/lines" || {
    cat "$out/errors" "$out/counts" | grep -m 3 '==' >&2 || true
    fail "ncu counted nothing of $program"
}
grep -v '^stall_' "$out/lines"
sed -n '/^stall_/p' "$out/lines" | sort -k2,2g
