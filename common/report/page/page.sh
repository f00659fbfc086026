#!/bin/sh
# page.sh RECORD.csv OUTDIR OTHER.csv...: writes OUTDIR/report.html, one file with the record in it and
# the scripts that draw it: page/page.html with its marks @style@, @data@ and @script@ filled. Beside
# the record stand its facts and the learner's predictions.tsv, both if there are any; the others are
# records of other machines. draw.sh calls this and has looked at all of them. A page that cannot be
# written leaves the old one as it was.
set -u
export LC_ALL=C

here=$(dirname "$0")
record=$1
out=$2
shift 2

# Whatever a record holds, it is text: the browser turns these back.
escape() {
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
}

# embed FILE SUMMARY ATTRIBUTES: the file's text, folded; scripts read it where the reader can, too.
embed() {
    # The browser leaves out a first line break.
    printf '<details><summary>%s</summary>\n<pre tabindex="0" %s>\n' \
        "$(printf '%s' "$2" | escape)" "$3"
    escape <"$1"
    echo "</pre></details>"
}

data() {
    machine=$(basename "$record" .csv | escape)
    facts=${record%.csv}-facts.csv
    predictions=$(dirname "$record")/predictions.tsv
    embed "$record" "$(basename "$record"), a row a measurement" \
        "id=\"record-csv\" data-machine=\"$machine\""
    [ ! -e "$facts" ] || embed "$facts" "$(basename "$facts"), a row a fact" 'id="facts-csv"'
    [ ! -e "$predictions" ] || embed "$predictions" "predictions.tsv, yours" 'id="predictions-tsv"'
    "$here/../steps.sh" "$here/../../.." | embed /dev/stdin "the steps, by their manifests" 'id="steps-tsv"'
    for other in "$@"; do
        embed "$other" "$(basename "$other"), another machine's" \
            "data-other=\"$(basename "$other" .csv | escape)\""
    done
}

script() {
    for part in text record chart ladder steps roofline predictions curves decimals memory machine \
        page; do
        cat "$here/$part.js" || return
    done
}

page() {
    while IFS= read -r line; do
        case $line in
        @style@) cat "$here/page.css" ;;
        @data@) data "$@" ;;
        @script@) script ;;
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
