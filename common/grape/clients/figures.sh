#!/bin/sh
# figures.sh OUT NAME=FOLDER ...: draws the tables of seconds that beside.sh prints of these folders: OUT/table-1.svg,
# table-5.svg and table-7.svg, which are figures 2, 3 and 4 of Belleman, Bedorf and Portegies Zwart (2008).
set -u
export LC_ALL=C

clients=$(dirname "$0")
here=$clients/../../report/pictures
. "$here/plot.sh"
[ $# -ge 2 ] || fail 3 "usage: common/grape/clients/figures.sh OUT NAME=FOLDER ..."
out=$1
shift
mkdir -p "$out" || fail 10 "$out cannot be made"
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"
"$clients/beside.sh" "$@" >"$scratch/tables" || exit

for table in 1 5 7; do
    awk -v table="Table $table:" -v title="$scratch/title" '
        index($0, table) == 1 { is_here = 1; sub(/^[^:]*: /, ""); print >title; next }
        !NF { is_here = 0 }
        is_here { $1 = $1; gsub(" -", " NaN"); gsub(" ", "\t"); print }' "$scratch/tables" >"$scratch/rows"
    plot table-$table "$(cat "$scratch/title")" -e "rows = '$scratch/rows'; heading = '$(cat "$scratch/title")'; \
        columns = $(awk '{ print NF; exit }' "$scratch/rows")" "$clients/seconds.gp"
done
