#!/bin/sh
# draw.sh RECORD.csv OUTDIR [timeline|survey]: draws a record's pictures, each if it has rows for it, and writes
# its page, report.html (page.sh), with all of them:
#   ladder.svg, roofline.svg, intensity.svg, scaling.svg, devices.svg, closing.svg, crossing.svg
#   step-07.svg      a step beside the one it builds on
#   variants-06.svg  the variants of a step
#   decimals-08.svg  first wrong decimals of a step, where they differ from those of the step it builds
#                    on; of one that is expected to be rejected, of all its variants
#   sizes.svg        the last step's rate over n
#   curves-21-integers.svg  the same of a step of another problem than N-body, on one distribution,
#                    with variants, peers and the measured limit
#   orbits-30.svg, energy-30.svg, orders-30.svg  what a survey found of a step's orbits and clusters
#   galaxy-44.svg    what it found of a galaxy
#   errors-42.svg    what it found of a walk's errors
#   copies.svg       bandwidth of copies by size
#   predicted.svg    ratios of neighbouring steps, predicted and measured
#   model.svg, ratios.svg, from RECORD-times.tsv, if it is there (model.sh)
#   <record>-timeline-07.svg, from the facts; with `timeline` these alone, and the record itself
#                    need not be there; with `survey` what surveys found alone, likewise
# A step's pictures are of its problem; other rates are of N-body.
# Behind the ladder and the rate over n stand the records of other machines in docs/results. Exit
# codes are those of common/problems/outcome.h: 3 usage, 10 OUTDIR cannot be written, 11 another
# header, 13 empty, cut off or damaged, 1 gnuplot failed. Nothing is written before all files have
# been looked at. Without gnuplot the page has tables alone.
set -u
export LC_ALL=C
here=$(dirname "$0")
. "$here/plot.sh"

# check FILE HEADER SEPARATOR
check() {
    [ -s "$1" ] || fail 13 "$1 is empty or not there"
    [ "$(head -n 1 "$1")" = "$2" ] || fail 11 "$1 has another header than this version's"
    [ -z "$(tail -c 1 "$1")" ] || fail 13 "$1 is cut off in its last line"
    bad=$(awk -F"$3" 'NR == 1 { fields = NF } NF != fields { print NR; exit }' "$1")
    [ -z "$bad" ] || fail 13 "$1 is damaged: line $bad has the wrong number of fields"
}

# check_numbers FILE: the columns from n to error_max hold numbers, or nothing.
check_numbers() {
    bad=$(awk -F, 'NR == 1 { for (k = split($0, name); k; k--) column[name[k]] = k }
        NR > 1 { for (k = column["n"]; k <= column["error_max"]; k++) if ($k !~ /^[-+.0-9e]*$/) { print NR ", " name[k]; exit } }' "$1")
    [ -z "$bad" ] || fail 13 "$1 is damaged: line $bad is no number"
}

# The learner's predictions, where there are any: a speed-up, or - of a step that builds on none.
check_predictions() {
    [ -e "$1" ] || return 0
    check "$1" "$(printf 'time_utc\tstep\tspeedup\tlimit\twhen')" '\t'
    bad=$(awk -F'\t' 'NR > 1 && $3 != "-" && !($3 + 0 > 0) { print NR; exit }' "$1")
    [ -z "$bad" ] || fail 13 "$1 is damaged: line $bad, speedup is no number"
}

# draw KIND PICTURE ALTERNATIVE_TEXT FILES: KIND.awk selects from the files what KIND.gp draws, or
# bars.gp where there is none; of each picture it leaves the data and a line in `drawn`, for the page.
draw() {
    kind=$1
    name=$2
    text=$3
    shift 3
    case $kind in
    ladder | roofline | intensity | sizes | crossing) rows=chosen ;;
    orbits | energy | orders | galaxy | errors) rows=survey ;;
    *) rows=bars ;;
    esac
    awk -f "$here/record.awk" -f "$here/$rows.awk" -f "$here/$kind.awk" "$@" \
        >"$scratch/$name.gp" || fail 1 "awk could not select the rows of $name.svg"
    [ -s "$scratch/$name.gp" ] || return 0
    plot=$here/$kind.gp
    [ -e "$plot" ] || plot=$here/bars.gp
    plot "$name" "$text" "$scratch/$name.gp" "$plot"
    printf '%s\t%s\n' "$name" "$text" >>"$scratch/drawn"
}

# distinct COLUMN...: what the record's rows have there, each once, with commas between.
distinct() {
    awk -F, -v wanted="$*" 'NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; count = split(wanted, name, " "); next }
        { for (k = 1; k <= count; k++) printf "%s%s", $column[name[k]], k < count ? "," : "\n" }' "$record" | sort -u
}

# unit_of PROBLEM: what its rate counts.
unit_of() {
    awk -F'\t' -v problem="$1" '$1 == problem { unit = $2 } END { print unit ? unit : "interactions" }' \
        "$here/../units.tsv"
}

# clock_of STEP,PROBLEM: by which all variants are timed, the ladder's host to host (device_alone, problem.h).
clock_of() {
    case $1 in
    *,nbody) echo referee ;;
    *) distinct step problem clock | sed -n "s/^$1,//p" | head -n 1 ;; # device comes before referee
    esac
}

# draw_steps FILES: the pictures of one step each.
draw_steps() {
    for row in $(distinct step problem); do
        step=${row%,*}
        problem=${row#*,}
        unit=$(unit_of "$problem")
        before=$(awk -F'\t' -v step="$step" '$1 == step { print $5 }' "$scratch/steps.tsv")
        all=$(awk -F'\t' -v step="$step" '$1 == step && $6 != "accepted"' "$scratch/steps.tsv")
        draw step "step-${step%%_*}" "Seconds per iteration of $step beside those of $before" \
            problem="$problem" step="$step" before="$before" "$@"
        draw variants "variants-${step%%_*}" "Rate of every variant of $step in $unit per second" \
            problem="$problem" unit="$unit" step="$step" clock="$(clock_of "$row")" "$@"
        # 65536 bodies are the homework's.
        draw decimals "decimals-${step%%_*}" \
            "Share of the coordinates of $step by their first wrong decimal" \
            problem="$problem" step="$step" before="$before" size=65536 all="${all:+1}" "$@"
    done
}

# The rates over n of other problems' steps.
draw_other_curves() {
    for row in $(distinct step problem distribution | grep -v ,nbody); do
        step=${row%%,*}
        distribution=${row##*,}
        problem=${row#*,}
        unit=$(unit_of "${problem%,*}")
        draw curves "curves-${step%%_*}-$distribution" \
            "Rate of $step and its peers in $unit per second against n, on $distribution, and the limit" \
            unit="$unit" step="$step" distribution="$distribution" "$record"
    done
}

# draw_survey: pictures of what surveys found, from the facts.
draw_survey() {
    [ -e "$facts" ] || return 0
    for step in $(awk -F, '$7 == "survey" { print $2 }' "$facts" | sort -u); do
        set -- step="$step" machine_name="$(basename "$record" .csv)" "$facts"
        draw orbits "orbits-${step%%_*}" "Paths of a body by the variants of $step, beside Kepler's ellipse" "$@"
        draw energy "energy-${step%%_*}" "Relative error of energy over time by the variants of $step" "$@"
        draw orders "orders-${step%%_*}" "Error of place against steps per orbit by the variants of $step" "$@"
        draw galaxy "galaxy-${step%%_*}" "Densities, rotation and stability of the galaxy that $step makes, beside the model's" "$@"
        draw errors "errors-${step%%_*}" "Relative errors of forces by $step over accuracy and opening angle" "$@"
    done
}

draw_timelines() {
    [ -e "$facts" ] || return 0
    machine=$(basename "$record" .csv)
    for step in $(awk -F, '$4 ~ /^timeline_n[0-9]+_[0-9]+_/ { print $2 }' "$facts" | sort -u); do
        draw timeline "$machine-timeline-${step%%_*}" "When the copies and kernels of $step ran" \
            step="$step" machine_name="$machine" "$facts"
    done
}

# draw_all OTHER_RECORDS
draw_all() {
    sizes="30000 65536 131072"
    # The scripts count files by their first lines.
    of_run=$facts
    [ -e "$facts" ] || { of_run=$scratch/facts.csv && echo "$facts_header" >"$of_run"; }
    set -- "$record" "$of_run" "$@"
    draw ladder ladder "Rate of every step in interactions per second, beside its measured limit" "$@"
    draw roofline roofline "Rate of every CUDA step against its issue slots, under their limit" "$@"
    draw intensity intensity "Instructions per second of every CUDA step against its instructions per byte, by level of memory" "$@"
    draw sizes sizes "Rate of the last step in interactions per second against the number of bodies" \
        main_sizes="$sizes" "$@"
    draw crossing crossing "Seconds for the forces on all bodies against n, by a tree and by all pairs" "$@"
    set -- "$record" "$record" "$of_run"
    draw scaling scaling "Speed-up over one thread against the number of threads" "$@"
    draw devices devices "Efficiency against the number of devices" "$@"
    draw closing closing \
        "Speed-up of every step over the first, and what the last step keeps without each idea" \
        root="$(awk -F'\t' '$3 == "nbody" && $5 == "-" { print $1; exit }' "$scratch/steps.tsv")" "$@"
    draw_steps "$@"
    draw_other_curves
    draw copies copies "Bandwidth of copies to and from the GPU against their size in bytes" \
        main_sizes="$sizes" "$@"
    draw predicted predicted \
        "Ratio of each CUDA step to the one it builds on, predicted from issue slots and measured" \
        "$of_run" "$record" "$record"
    draw_survey
    draw_timelines
    times=${record%.csv}-times.tsv
    [ ! -s "$times" ] || "$here/model.sh" "$times" "$out" >/dev/null || exit
}

case $#${3-} in
2 | 3timeline | 3survey) ;;
*) fail 3 "usage: draw.sh RECORD.csv OUTDIR [timeline|survey]" ;;
esac
root=$here/../../..
columns=$root/common/referee/record/columns.h
header=$(awk -F'[()]' '$1 ~ /^ +(FIRST|NEXT)$/ { printf "%s%s", comma, $2; comma = "," }' "$columns")
facts_header=$(awk -F'"' '/define FACTS_HEADER/ { print $2 }' "$columns")
record=$1
out=$2
facts=${record%.csv}-facts.csv

only=${3-}

set --
if [ -z "$only" ]; then
    check "$record" "$header" ,
    check_numbers "$record"
    [ "$(wc -l <"$record")" -gt 1 ] || fail 13 "$record has no rows"
    check_predictions "$(dirname "$record")/predictions.tsv"
    # The other machines whose records are published.
    for other in "$root"/docs/results/*/; do
        machine=$(basename "$other")
        [ "$machine" != "$(basename "$record" .csv)" ] && [ -e "$other$machine.csv" ] || continue
        check "$other$machine.csv" "$header" ,
        check_numbers "$other$machine.csv"
        set -- "$@" "$other$machine.csv"
    done
fi
[ ! -e "$facts" ] || check "$facts" "$facts_header" ,
mkdir -p "$out" || fail 10 "$out cannot be made"
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"
: >"$scratch/drawn"
"$here/../steps.sh" "$root" >"$scratch/steps.tsv"
export scratch

if ! command -v gnuplot >/dev/null 2>&1; then
    echo "gnuplot is not installed: no pictures"
elif [ "$only" = timeline ]; then
    draw_timelines
elif [ "$only" = survey ]; then
    draw_survey
else
    draw_all "$@"
fi
[ -n "$only" ] || "$here/../page/page.sh" "$record" "$out" "$scratch" "$@"
