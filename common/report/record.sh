#!/bin/sh
# record.sh MACHINE [NAME=RANGE]: measures this machine for results/MACHINE.csv and its facts, of all steps or
# those of a range (steps.sh). What stands there already is kept and not measured again, so that a record can
# be made in pieces: whenever this ends or is ended, the next call goes on, on this machine or another one with
# the same CPU and GPU. With a GPU and nvcc the steps in CUDA C come first. All are built side by side; then come
# all times, so that these are soon those of one machine; recorded are
#
#   bench      what `make bench ABLATE=1` measures, part by part, so that steps are compared within a run
#   own        what the solution's own record.sh adds, which gets the file of facts
#   ncu        what the default variant and those whose counts a text quotes execute, and what their warps wait
#              for (tools/executed.sh), where ncu is
#   sanitizer  errors of memcheck and hazards of racecheck in the default variant, where compute-sanitizer is
#   timeline   copies and kernels of a run, where a text quotes them
#
# and of the steps in C `bench` and `own`. If estimates know the GPU and no record of it has judged them, they are
# printed beside the rows. That a step's piece was done is the fact recorded_PIECE, of which the value is its
# seconds. Exit codes are those of common/problems/outcome.h, the first that was not 0.
set -u
export LC_ALL=C

machine=$1
rows=results/$machine.csv
facts=
. common/report/tools/facts.sh
facts=results/$machine-facts.csv
# Its own: of a run of bench in which a step was there for a comparison no text takes facts (fill.awk).
run=$(date -u +%Y%m%dT%H%M%SZ)-$$
failed=0
found=99

common/report/steps.sh . ${2+"$2"} >"$out/all" || exit
sed 1d "$out/all" >"$out/steps"
build/referee machine >"$out/machine" || exit
this=$(sed -n 's/^recorded as *//p' "$out/machine") # host,CPU,GPU as in rows
sed 1d "$rows" 2>/dev/null | cut -d, -f3-5 | sort -u | grep -vxF "$this" >"$out/hosts"
while IFS= read -r other; do
    if [ "${other#*,}" != "${this#*,}" ]; then
        echo "error: $rows has rows of $other, and this machine is $this: move it away or name another MACHINE" >&2
        exit 3
    fi
    echo "$rows has rows of $other, and this machine is $this; where a text compares rows of both, it has to say so"
done <"$out/hosts"
if [ -s "$rows" ]; then
    echo "$rows has $(($(wc -l <"$rows") - 1)) rows, which are kept; to measure all anew, move it away or name another MACHINE"
fi

# open_of STEPS PIECES: those of the steps of which not all these pieces were done
open_of() {
    for step in $1; do
        for piece in $2; do
            [ -s "$facts" ] && grep -q "^[^,]*,$step,,recorded_$piece," "$facts" || {
                echo "$step"
                break
            }
        done
    done | paste -sd ' ' -
}

# piece NAME STEPS COMMAND...: runs it unless the piece was done for all these steps, and says so
piece() {
    piece=$1
    steps=$2
    shift 2
    [ -n "$(open_of "$steps" "$piece")" ] || return 0
    began=$(date +%s)
    if "$@" >"$out/said"; then
        seconds=$(($(date +%s) - began))
        for step in $steps; do
            echo "$run,$step,,recorded_$piece,$seconds,s,record.sh"
        done >"$out/done"
        add_facts "$out/done"
        echo "$piece: $steps, $seconds s"
    else
        code=$?
        [ "$failed" -ne 0 ] || failed=$code
        echo "$piece: $steps, exit code $code; to be measured again" >&2
    fi
}

# bench BACKEND STEPS
bench() {
    build/referee bench --backend "$1" --of solutions --ablate 1 --resume 1 --machine "$machine" \
        --steps "$(echo "$2" | awk '{ print substr($1, 1, 2) "-" substr($NF, 1, 2) }')"
}

# standalone STEP VARIANT: sets program, on_gpu, work and per
program='' on_gpu='' work='' per=''
standalone() {
    build/referee standalone --step "$1" --of solutions --variant "$2" --json 1 >"$out/standalone" || return
    for field in program on_gpu work per; do
        eval "$field=\$(sed -n 's/.*\"$field\": \"\\{0,1\\}\\([^\",]*\\).*/\\1/p' \"\$out/standalone\")"
    done
}

# default_variant STEP
default_variant() {
    awk -F'\t' -v step="$1" '$1 == step { sub(/ .*/, "", $9); print $9 }' "$out/steps"
}

# quoted NAME STEP: the variants of which a text quotes facts that begin with NAME
quoted() {
    grep -rhoE --include='*.md' "fact\($1_[a-z0-9_]+ $2 [a-z0-9_]+\)" docs steps solutions | sed 's/.* //; s/)//' | sort -u
}

# build STEPS: what is measured below, side by side; what is wrong with one is told where it is measured.
build() {
    for step in $1; do
        {
            build/referee standalone --step "$step" --of solutions
            build/referee build --step "$step" --of solutions --backend cuda
        } >/dev/null 2>&1 &
    done
    wait
}

# count STEP: what depends on n beside the program says at which n it was counted. A variant that needs what is
# not installed is left out, as by bench; standalone says so.
count() {
    : >"$out/rows"
    wanted=" $(default_variant "$1") $(quoted ncu "$1" | paste -sd ' ' -) "
    for variant in $(awk -F'\t' -v step="$1" '$1 == step { print $9 }' "$out/steps"); do
        [ "${wanted#* "$variant" }" != "$wanted" ] || continue
        standalone "$1" "$variant" || continue
        common/report/tools/executed.sh "$program" "$on_gpu" "$work" "$per" >"$out/counts" || return
        awk -v OFS=, -v run="$run" -v step="$1" -v variant="$variant" -v n="$on_gpu" '
            { sub(/^not_selected/, "stall_&", $1) }
            { print run, step, variant, "ncu_" $1 ($1 ~ /^(threads|issue_active|stall_)/ ? "_n" n : ""), $2, $3, "ncu n=" n }
            ' "$out/counts" >>"$out/rows"
    done
    [ -s "$out/rows" ] && add_facts "$out/rows"
}

# sanitize STEPS: what compute-sanitizer ends with if it found something is no exit code of a program. Nothing is
# timed, so the runs are side by side.
sanitize() {
    : >"$out/rows"
    for step in $1; do
        variant=$(default_variant "$step")
        standalone "$step" "$variant" || return
        for tool in memcheck racecheck; do
            for n in 257 1000; do
                echo "$step $variant $tool $n $program"
            done
        done
    done >"$out/runs"
    # shellcheck disable=SC2016 # that shell expands them
    out=$out found=$found xargs -L 1 -P "$(nproc)" sh -c 'compute-sanitizer --tool "$3" --error-exitcode "$found" \
        "$5" "$4" 1 >"$out/found_$1_$3_$4" 2>&1; echo $? >"$out/code_$1_$3_$4"' sh <"$out/runs"
    wrong=0
    while read -r step variant tool n program; do
        code=$(cat "$out/code_${step}_${tool}_$n")
        [ "$code" -eq 0 ] || {
            tail -n 5 "$out/found_${step}_${tool}_$n" >&2
            [ "$code" -eq $found ] && code="found something" || code="ended with exit code $code"
            echo "$step $variant, n = $n: $tool $code" >&2
            wrong=1
        }
        echo "$run,$step,$variant,${tool}_errors_n$n,0,1,compute-sanitizer" >>"$out/rows"
    done <"$out/runs"
    [ $wrong -eq 0 ] && add_facts "$out/rows"
}

# steps_of LANGUAGE [PART]
steps_of() {
    awk -F'\t' -v end="[.]$1\$" -v part="${2-}" '$4 ~ end && (part == "" || $2 == part) { print $1 }' "$out/steps" |
        paste -sd ' ' -
}

own() {
    "solutions/$1/record.sh" "$facts"
}

# The file of the GPU's parameters, if it is not validated: `rtx4090` is that of an "NVIDIA GeForce RTX 4090".
unvalidated() {
    sed -n 's/RTX /RTX/; s/^GPU 0 *//p' "$out/machine" >"$out/gpu"
    for file in common/referee/estimate/gpus/*; do
        ! grep -qs '^validated = no' "$file" || ! grep -qiw "${file##*/}" "$out/gpu" || echo "${file##*/}"
    done
}

# take_times LANGUAGE BACKEND
take_times() {
    for part in $parts; do
        steps=$(steps_of "$1" "$part")
        [ -z "$steps" ] || piece bench "$steps" bench "$2" "$steps"
    done
    for step in $(steps_of "$1"); do
        [ ! -x "solutions/$step/record.sh" ] || piece own "$step" own "$step"
    done
}

parts=$(cut -f2 "$out/steps" | uniq)
if grep -q '^no NVIDIA GPU' "$out/machine" || ! command -v "${NVCC-nvcc}" >/dev/null; then
    echo "without a GPU and nvcc the steps in CUDA C are left out"
else
    pieces="bench$(! command -v ncu >/dev/null || echo ' ncu')$(! command -v compute-sanitizer >/dev/null || echo ' sanitizer')"
    build "$(open_of "$(steps_of cu)" "$pieces")"
    take_times cu cuda
    for step in $(steps_of cu); do
        case $pieces in *ncu*) piece ncu "$step" count "$step" ;; esac
        [ -z "$(quoted timeline "$step")" ] || piece timeline "$step" build/referee timeline --step "$step" --of solutions --machine "$machine"
    done
    case $pieces in *sanitizer*)
        steps=$(open_of "$(steps_of cu)" sanitizer)
        [ -z "$steps" ] || piece sanitizer "$steps" sanitize "$steps" ;;
    esac
    for gpu in $(unvalidated); do
        common/report/tools/estimate_errors.sh "^($(steps_of cu | tr ' ' '|'))\$" 131072 "$gpu" "$rows"
    done
fi
take_times c cpu
exit "$failed"
