#!/bin/sh
# model.sh FILE OUTDIR [NAME=VALUE ...]: fits the cycle model (model.awk) to measured times of a step
# with 1, 2, 4, 8 and 16 threads per body, prints what it found and every time beside the model's, and
# draws model.svg; with times of other kernels also the ratio of theirs to these, and ratios.svg.
# FILE is a record, of which the variants exchange_1 to exchange_16 of the last run that has them are
# taken, those of the device's clock if there are any; or a table NAME.tsv of n_i, n_j, T_sub and
# seconds, whose lines "# NAME VALUE" give what the arguments do: N_core, N_SM, B_SM, T_tot, clock (Hz; a record has its own) and C_acc ("1:0 2:17 ...", also in several lines). Where
# nothing is given it is an H200. A fifth column names the kernel, as measure.cu does; the model is
# fitted to those called exchange, or nothing. With "C_cal=... L=... C_ker=..." nothing is fitted. With
# "run=ID" (and of a table "step=NN_name") all is also written to OUTDIR/model-facts.csv, as rows of that run for a record's facts.
# Exit codes as in draw.sh.
set -u
export LC_ALL=C

here=$(dirname "$0")
. "$here/plot.sh"
[ $# -ge 2 ] || fail 3 "usage: model.sh FILE OUTDIR [NAME=VALUE ...]"
file=$1
out=$2
shift 2
[ -s "$file" ] || fail 13 "$file is empty or not there"
N_core=128 N_SM=132 B_SM=5 T_tot=256 clock=1.98e9 C_acc='' C_cal='' L='' C_ker='' run='' step=''

# give NAME VALUE
give() {
    case $1 in
    N_core | N_SM | B_SM | T_tot | clock | C_cal | L | C_ker)
        case $2 in '' | *[!0-9.e+]*) fail 3 "$1 is no number: $2" ;; esac ;;
    C_acc)
        case $2 in *[!0-9.:\ ]*) fail 3 "C_acc is no list: $2" ;; esac
        C_acc="$C_acc $2"
        return ;;
    step) case $2 in '' | *[!0-9a-z_]*) fail 3 "step is no name of one: $2" ;; esac ;;
    run) case $2 in '' | *[!0-9A-Za-z-]*) fail 3 "run is no name of one: $2" ;; esac ;;
    *) fail 3 "nothing is called $1" ;;
    esac
    eval "$1=\$2"
}

scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"
case $file in
*.tsv)
    sed -n 's/^# //p' "$file" >"$scratch/given"
    while read -r name value; do give "$name" "$value"; done <"$scratch/given"
    grep -v '^#' "$file" >"$scratch/all" ;;
*)
    awk -f "$here/record.awk" -f "$here/model_rows.awk" "$file" "$file" >"$scratch/rows" ||
        fail 1 "awk could not select the rows"
    grep -v '^#' "$scratch/rows" >"$scratch/all"
    value=$(sed -n 's/^# clock //p' "$scratch/rows")
    [ -z "$value" ] || clock=$value
    step=$(sed -n 's/^# step //p' "$scratch/rows") ;;
esac
for word in "$@"; do give "${word%%=*}" "${word#*=}"; done
awk -F'\t' -v OFS='\t' 'NF < 5 || $5 == "exchange" { print $1, $2, $3, $4 }' "$scratch/all" \
    >"$scratch/times"
[ -s "$scratch/times" ] || fail 13 "$file has no times of variants exchange_1 to exchange_16"
bad=$(awk -F'\t' '!($1 > 0 && $2 > 0 && $3 > 0 && $4 > 0) { print NR; exit }' "$scratch/all")
[ -z "$bad" ] || fail 13 "$file is damaged: line $bad of its times is not four numbers"

# model TASK FILE
model() {
    awk -v task="$1" -v N_core="$N_core" -v N_SM="$N_SM" -v B_SM="$B_SM" -v T_tot="$T_tot" \
        -v clock="$clock" -v C_acc="$C_acc" -v C_cal="$C_cal" -v L="$L" -v C_ker="$C_ker" \
        -f "$here/model.awk" "$2"
}

if [ -n "$C_cal" ] && [ -n "$L" ] && [ -n "$C_ker" ]; then
    printf 'C_cal\t%s\nL\t%s\nC_ker\t%s\n' "$C_cal" "$L" "$C_ker" >"$scratch/found"
else
    model fit "$scratch/times" >"$scratch/found" || fail 13 "$file has too few times"
    C_cal=$(sed -n 's/^C_cal\t//p' "$scratch/found")
    L=$(sed -n 's/^L\t//p' "$scratch/found")
    C_ker=$(sed -n 's/^C_ker\t//p' "$scratch/found")
fi
cat "$scratch/found"
printf 'n_i\tn_j\tT_sub\tseconds\tmodel\n'
model predict "$scratch/times" | tee "$scratch/both"

# The times of other kernels by those of exchange, with as many threads per body: the paper's figure 3.
awk -F'\t' -v OFS='\t' '$1 != $2 { next }
    NF < 5 || $5 == "exchange" { own[$1, $3] = $4; next }
    { other[++count] = $0 }
    END { for (k = 1; k <= count; k++) { split(other[k], f); if (own[f[1], f[3]])
        print f[3], f[1], f[5], sprintf("%.4g", f[4] / own[f[1], f[3]]) } }' "$scratch/all" |
    sort -t"$(printf '\t')" -k3,3 -k1,1n -k2,2n >"$scratch/ratios"
[ ! -s "$scratch/ratios" ] || { printf 'T_sub\tn\tkernel\tratio\n'; cat "$scratch/ratios"; }

mkdir -p "$out" || fail 10 "$out cannot be made"
if [ -n "$run" ]; then
    [ -n "$step" ] || fail 3 "run=$run: step=NN_name is needed, the step that was measured"
    {
        awk -F'\t' '{ print "exchange_4,model_" $1 "," $2 "," ($1 == "error" ? "1" : "cycles") }' \
            "$scratch/found"
        for word in $C_acc; do echo "exchange_${word%%:*},C_acc,${word#*:},cycles"; done
        awk -F'\t' '{ print (NF < 5 ? "exchange" : $5) "_" $3 ",seconds_" $1 "_" $2 "," $4 ",s" }' \
            "$scratch/all"
        awk -F'\t' '{ print "exchange_" $1 "," $3 "_ratio_" $2 "," $4 ",1" }' "$scratch/ratios"
    } | sed "s|^|$run,$step,|; s|\$|,${file##*/}|" >"$out/model-facts.csv" ||
        fail 10 "$out/model-facts.csv cannot be written"
    echo "$out/model-facts.csv"
fi

command -v gnuplot >/dev/null 2>&1 || {
    echo "gnuplot is not installed: the pictures are left out"
    exit 0
}

# draw NAME TITLE: NAME.gp makes OUTDIR/NAME.svg; its arguments are read from standard input.
draw() {
    cat >"$scratch/given.gp"
    plot "$1" "$2" "$scratch/given.gp" "$here/$1.gp"
}

# numbers FILE: its first column, each number once.
numbers() {
    cut -f1 "$1" | sort -n -u | tr '\n' ' '
}

awk -F'\t' '$1 == $2 { print $3 "\t" $1 "\t" $1 * $2 / $4 / 1e9 "\t" $1 * $2 / $5 / 1e9 }' \
    "$scratch/both" | sort -n -k1,1 -k2,2 >"$scratch/square"
[ ! -s "$scratch/square" ] || draw model \
    "Rate over n with 1 to 16 threads per body, measured and by the cycle model" <<END
heading = 'C_cal = $C_cal, L = $L, C_ker = $C_ker cycles'
threads = '$(numbers "$scratch/square")'
square = '$scratch/square'
END
grep block "$scratch/ratios" >"$scratch/rows"
[ ! -s "$scratch/rows" ] || draw ratios \
    "Speed-up of the exchange over rows of threads, with 1 to 16 threads per body" <<END
threads = '$(numbers "$scratch/rows")'
ratios = '$scratch/rows'
END
