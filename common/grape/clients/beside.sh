#!/bin/sh
# beside.sh NAME=FOLDER ...: prints the tables of Belleman, Bedorf and Portegies Zwart (2008) with a column or more for
# each folder of what tables.sh wrote, of which the fastest rows count.
set -u
export LC_ALL=C

[ $# -gt 0 ] || { echo "usage: common/grape/clients/beside.sh NAME=FOLDER ..." >&2; exit 3; }
seed=$(dirname "$0")/seed.tsv
for record; do
    folder=${record#*=}
    for table in 1-2 5-6 7-8; do
        [ ! -e "$folder/tables-$table.csv" ] || sed "/^[#n]/d; s/^/${record%%=*},$table,/" "$folder/tables-$table.csv"
    done
done | awk -F , -v seed="$seed" '
    BEGIN {
        title[1] = "Table 1: seconds from t = 0.25 to 0.5, softening 1/256"
        title[2] = "Table 2: 10^7 dE/E from t = 0 to 0.5"
        title[5] = "Table 5: seconds from t = 0 to 0.25; softening 1/256, or 0 (,0); accuracy 0.3 (a) or 0.15 (b)"
        title[6] = "Table 6: 10^7 dE/E of the same"
        title[7] = "Table 7: seconds of the tree code over t = 0 to 1; whatever ncrit is fastest"
        title[8] = "Table 8: 10^6 dE/E of the same"
    }
    function add(table, name, n, value) {
        if (!((table, name) in known)) {
            known[table, name] = 1
            names[table, ++width[table]] = name
        }
        values[table, name, n] = value
    }
    $2 == "1-2" { add(1, $1, $3, $6); add(2, $1, $3, sprintf("%.3f", $10 * 1e7)) }
    $2 == "5-6" {
        kind = $1 ($4 > 0 ? "" : ",0") ($5 > 0.05 ? ",a" : ",b")
        add(5, kind, $3, $6); add(6, kind, $3, sprintf("%.3f", $10 * 1e7))
    }
    $2 == "7-8" {
        kind = $1 "," $7
        if (((7, kind, $3) in values) && values[7, kind, $3] <= $8 + 0)
            next
        add(7, kind, $3, $8)
        if ($7 == "normal")
            add(8, $1, $3, sprintf("%.3f", $10 * 1e6))
    }
    END {
        while ((getline line <seed) > 0) {
            fields = split(line, field, "\t")
            if (line ~ /^#/)
                continue
            table = field[1]
            if (field[2] == "n")
                print (table == 1 ? "" : "\n") title[table]
            for (i = 2; i <= fields; i++)
                printf (i == 2 ? "%7s" : " %9s"), field[i]
            for (i = 1; i <= width[table]; i++) {
                name = names[table, i]
                value = "-"
                if ((table, name, field[2]) in values)
                    value = values[table, name, field[2]]
                if (field[2] == "n")
                    value = name
                printf " %*s", (length(name) > 9 ? length(name) : 9), value
            }
            print ""
        }
    }'
