#!/bin/sh
# draw.sh RECORD.csv OUTDIR: draws ladder.svg, scaling.svg and variants.svg from a record, each if
# the record has rows for it. Exit codes are those of common/referee/outcome.h: 3 usage, 10 OUTDIR
# cannot be written, 11 another header, 13 empty, cut off or damaged, 1 gnuplot failed.
set -u

header=time_utc,commit,host,cpu,gpu,driver,compiler,flags,backend,part,step,variant,source,n
header=$header,iterations,repeats,seconds_median,seconds_min,seconds_max,rate_gps,limit_share
header=$header,speedup_serial,speedup_previous,first_wrong_decimal,error_l2,error_p99,error_max
header=$header,verdict,run,problem,distribution,seed,threads,clock,sm_mhz,limit_name,limit_gps
header=$header,decimals,energy_j
facts_header=run,step,variant,name,value,unit,source

fail() {
    echo "draw.sh: $2" >&2
    exit "$1"
}

# check FILE HEADER
check() {
    [ -s "$1" ] || fail 13 "$1 is empty or not there"
    [ "$(head -n 1 "$1")" = "$2" ] || fail 11 "$1 has another header than this version's"
    [ -z "$(tail -c 1 "$1")" ] || fail 13 "$1 is cut off in its last line"
    bad=$(awk -F, 'NR == 1 { fields = NF } NF != fields { print NR; exit }' "$1")
    [ -z "$bad" ] || fail 13 "$1 is damaged: line $bad has the wrong number of fields"
}

# draw PICTURE ALTERNATIVE_TEXT. A picture that cannot be drawn leaves the old one as it was.
draw() {
    awk -f "$here/record.awk" -f "$here/$1.awk" "$record" "$record" "$facts" >"$scratch/$1.gp" ||
        fail 1 "awk could not select the rows of $1.svg"
    if [ ! -s "$scratch/$1.gp" ]; then
        echo "$1.svg: the record has no rows for it"
        return
    fi
    # Where there is nothing to draw, as without a measured limit, gnuplot warns; that is no news.
    gnuplot -e "output_file = '$scratch/$1.svg'" "$here/style.gp" "$scratch/$1.gp" "$here/$1.gp" \
        2>"$scratch/errors" || {
        cat "$scratch/errors" >&2
        fail 1 "gnuplot could not draw $1.svg"
    }
    sed -e "s|<title>Gnuplot</title>|<title>$2</title>|" \
        -e "s|<desc>Produced by.*</desc>|<desc>$2</desc>|" "$scratch/$1.svg" >"$out/.$1.svg.$$" &&
        mv "$out/.$1.svg.$$" "$out/$1.svg" ||
        fail 10 "$out/$1.svg cannot be written"
    echo "$out/$1.svg"
}

[ $# -eq 2 ] || fail 3 "usage: draw.sh RECORD.csv OUTDIR"
here=$(dirname "$0")
record=$1
out=$2
facts=${record%.csv}-facts.csv

check "$record" "$header"
[ "$(wc -l <"$record")" -gt 1 ] || fail 13 "$record has no rows"
if [ -e "$facts" ]; then check "$facts" "$facts_header"; else facts=/dev/null; fi

if ! command -v gnuplot >/dev/null 2>&1; then
    echo "gnuplot is not installed: ladder.svg, scaling.svg and variants.svg are left out"
    exit 0
fi
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"
mkdir -p "$out" || fail 10 "$out cannot be made"

draw ladder "Rate of every step in interactions a second, beside its measured limit"
draw scaling "Speed-up of 02_openmp over one thread against the number of threads"
draw variants "Rate of every variant of the CPU steps in interactions a second"
