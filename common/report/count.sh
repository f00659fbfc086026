#!/bin/sh
# count.sh RECORD-facts.csv: counts with ncu what the CUDA steps execute, and adds it to the facts of
# the record's last run, per interaction. Wants a GPU, and ncu in PATH. For maintainers: a record that
# is published goes through it once.
set -eu
n=16384

fail() {
    echo "count.sh: $1" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: count.sh RECORD-facts.csv" >&2; exit 3; }
facts=$1
command -v ncu >/dev/null || fail "ncu is not in PATH"
[ -s "$facts" ] || fail "$facts is empty or not there; make bench writes it"
run=$(tail -n 1 "$facts" | cut -d, -f1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# ncu's name and ours. What ncu counts by warps is an instruction of 32 interactions.
cat >"$out/metrics" <<END
smsp__inst_executed.sum slots
smsp__inst_executed_pipe_fma.sum fma
smsp__inst_executed_pipe_xu.sum mufu
smsp__inst_executed_op_shared_ld.sum shared_loads
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum shared_wavefronts
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum global_requests
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum global_sectors
l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum global_sector_hits
launch__registers_per_thread registers
END
metrics=$(cut -d' ' -f1 "$out/metrics" | paste -sd,)

awk -F'\t' '$4 ~ /\.cu$/ { print $1 }' steps/catalogue.tsv | while read -r step; do
    sed -n 's/^VARIANT_\([A-Za-z0-9_]*\) *=.*/\1/p' "steps/$step/Makefile" | while read -r variant; do
        program=$(build/referee alone --step "$step" --of solutions --variant "$variant" |
            grep -o '[^ ]*/alone' | head -n 1)
        ncu --csv --clock-control none --print-units base --metrics "$metrics" "$program" $n 1 >"$out/counts" </dev/null
        # The kernel that executes most is the one with the loop over pairs.
        awk -F'","' -v run="$run" -v step="$step" -v variant="$variant" -v n=$n '
            FNR == NR { split($0, m, " "); name[m[1]] = m[2]; next }
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
                if (!most) exit 1
                for (metric in name) if ((kernel, metric) in count)
                    printf "%s,%s,%s,ncu_%s,%.6g,%s,ncu n=%d\n", run, step, variant, name[metric],
                        count[kernel, metric] / (metric ~ /^launch/ ? 1 : n * n / 32),
                        metric ~ /^launch/ ? "1/thread" : "1/interaction", n
            }' "$out/metrics" "$out/counts" >>"$out/rows" || fail "ncu said nothing of $step $variant"
        echo "$step $variant"
    done
done
[ -s "$out/rows" ] || fail "there was nothing to count"
flock "$(dirname "$facts")" sh -c 'cat "$1" "$2" >"$1.new" && mv "$1.new" "$1"' sh "$facts" "$out/rows"
