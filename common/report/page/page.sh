#!/bin/sh
# page.sh RECORD.csv OUTDIR SCRATCH OTHER.csv...: writes OUTDIR/report.html, one file without a script:
# page.html with its marks @style@ and @content@ filled. SCRATCH has steps.tsv, `drawn`, a line for each
# picture in OUTDIR with its alternative text, and NAME.gp of each, with its numbers. Beside the record
# stand its facts and the learner's predictions.tsv, both if there are any; the others are records of
# other machines. draw.sh calls this and has looked at all of them. A page that cannot be written leaves
# the old one as it was.
set -u
export LC_ALL=C

here=$(dirname "$0")
record=$1
out=$2
scratch=$3
shift 3
machine=$(basename "$record" .csv)
units=$here/../units.tsv
export scratch out machine units

# The records before their facts.
count=$#
predictions=$(dirname "$record")/predictions.tsv
set -- "$record" "$@"
while [ "$count" -ge 0 ]; do
    set -- "$@" "$1"
    [ ! -e "${1%.csv}-facts.csv" ] || set -- "$@" "${1%.csv}-facts.csv"
    shift
    count=$((count - 1))
done
[ ! -e "$predictions" ] || set -- 'FS=\t' "$predictions" FS=, "$@"

page() {
    while IFS= read -r line; do
        case $line in
        @style@) cat "$here/page.css" ;;
        @content@)
            awk -f "$here/../pictures/record.awk" -f "$here/../pictures/chosen.awk" -f "$here/html.awk" \
                -f "$here/sentences.awk" -f "$here/page.awk" "$@" ;;
        *) printf '%s\n' "$line" ;;
        esac || return
    done <"$here/page.html"
}

unfinished=$out/.report.html.$$
{ page "$@" >"$unfinished" && mv "$unfinished" "$out/report.html"; } 2>/dev/null || {
    rm -f "$unfinished"
    echo "draw.sh: $out/report.html cannot be written" >&2
    exit 10
}
echo "$out/report.html"
