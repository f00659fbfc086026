#!/bin/sh
# figures.sh FOLDER: draws what survey.sh wrote to FOLDER beside what the text of Miki (2018) states: accuracy.svg
# (figures 1 and 4 there), bodies.svg (3), instructions.svg (6 and 7), hiding.svg (8) and rates.svg (9 and 10).
set -u
export LC_ALL=C

step=$(dirname "$0")
here=$step/../../common/report/pictures
. "$here/plot.sh"
[ $# -eq 1 ] || fail 3 "usage: solutions/43_tree_steps/figures.sh FOLDER"
out=$1
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"

# table COLUMNS PROGRAM FILE ...: awk's program for rows of the CSV files, under the names of columns.
table() {
    columns=$1
    program=$2
    shift 2
    {
        echo "$columns" | tr , '\t'
        awk -F, -v OFS='\t' "!/^#/ && !/accuracy,/ { $program }" "$@" | sort -g
    } >"$scratch/rows"
}

# draw PICTURE TEXT X Y IS_LOG: the table, from the least x to the largest, of points that the paper states, too.
draw() {
    awk -F'\t' -v OFS='\t' -v picture="$1" '
        $1 == picture {
            if ($4 != name)
                printf "%s\"%s\"\n", name == "" ? "" : "\n\n", $4
            name = $4
            print $2, $3
        }' "$step/seed.tsv" >"$scratch/seed"
    ends=$(awk -F'\t' '
        $1 + 0 > 0 {
            e = log($1) / log(2)
            least = least == "" || e < least ? e : least
            most = most == "" || e > most ? e : most
        }
        END { printf "least = %.0f; most = %.0f", least, most }' "$scratch/rows" "$scratch/seed")
    plot "$1" "$2" -e "rows = '$scratch/rows'; seed = '$scratch/seed'; seeds = $(grep -c '"' "$scratch/seed"); \
        columns = $(awk -F'\t' '{ print NF; exit }' "$scratch/rows"); heading = '$2'; $ends; \
        x_name = '$3'; y_name = '$4'; is_log = $5" "$step/figures.gp"
}

seconds=all,tree,choose,follow,walk
accuracy="$out/accuracy.csv"
counts="$out/counts.csv"
if [ -e "$accuracy" ]; then
    table "accuracy,$seconds" 'print $3, $4, $8, $9, $10, $11' "$accuracy"
    draw accuracy "Seconds per block step over accuracy" accuracy seconds 1
fi
if [ -e "$out/bodies.csv" ]; then
    table "n,$seconds" 'print $1, $4, $8, $9, $10, $11' "$out/bodies.csv"
    draw bodies "Seconds per block step over the number of bodies" "number of bodies" seconds 1
fi
if [ -e "$counts" ]; then
    table "accuracy,all floating-point,FMA,products; as many sums,roots,integer" \
        'if ($1 == "step") print $4, $7 + $8 + $9, $7, ($8 + $9) / 2, $10, $6' "$counts"
    draw instructions "Instructions of walks per block step over accuracy" accuracy "instructions of threads" 1
    table "accuracy,sum / most,1.5 sum / most" 'if ($1 == "step") {
        sum = $6 + $7 + $8 + $9
        most = sum - $6 > $6 ? sum - $6 : $6
        print $4, sum / most, 1.5 * sum / most
    }' "$counts"
    draw hiding "Expected gain by hiding integer instructions over accuracy" accuracy ratio 0
fi
if [ -e "$counts" ] && [ -e "$accuracy" ]; then
    table "accuracy,walk,walk of all bodies,whole code" 'if (FILENAME == ARGV[1]) {
        seconds[$1, $3] = $4
    } else if ($1 == "step") {
        walk = $13
        work = $12 * $13
    } else {
        code = ($2, $4) in seconds ? work / seconds[$2, $4] / 1e12 : "NaN"
        print $4, walk / 1e12, $13 / 1e12, code
    }' "$accuracy" "$counts"
    draw rates "TFLOP/s over accuracy" accuracy TFLOP/s 0
fi
