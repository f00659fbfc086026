#!/bin/sh
# Packs a submission, submission-$STUDENT.tar.gz. Reads the files from its input, a line each: step,
# file, state. The same content gives the same bytes: names sorted; times, owners and modes fixed. An
# archive with other content is kept under a number. Run by `build/referee submit`, which looked at
# the names.
set -eu
export LC_ALL=C
archive=submission-$STUDENT.tar.gz
tab=$(printf '\t')
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=$scratch/$STUDENT

# add STEP FILE STATE SOURCE: copies it and tells the manifest.
add() {
    to=$folder/$2
    [ "$1" = - ] || to=$folder/$1/$2
    mkdir -p "${to%/*}"
    cat "$4" >"$to"
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$(wc -c <"$to" | tr -d ' ')" \
        "$(sha256sum <"$to" | cut -d' ' -f1)" "$3" >>"$scratch/manifest"
}

printf 'step\tfile\tbytes\tsha256\tstate\n' >"$scratch/manifest"
while IFS=$tab read -r step file state; do
    add "$step" "$file" "$state" "steps/$step/$file"
done
[ ! -e answers.tsv ] || add - answers.tsv - answers.tsv
[ ! -e "$RESULTS/predictions.tsv" ] || add - predictions.tsv - "$RESULTS/predictions.tsv"
mv "$scratch/manifest" "$folder/manifest.tsv"

tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar \
    -C "$scratch" -cf "$scratch/tar" "$STUDENT"
gzip -n -9 <"$scratch/tar" >"$scratch/gz"

if [ -e "$archive" ] && ! cmp -s "$scratch/gz" "$archive"; then
    number=1
    while [ -e "$archive.$number" ]; do number=$((number + 1)); done
    mv "$archive" "$archive.$number"
    echo "the former one is kept as $archive.$number"
fi
cmp -s "$scratch/gz" "$archive" ||
    { cat "$scratch/gz" >"$archive.new" && mv "$archive.new" "$archive"; } 2>/dev/null || {
    echo "error: $archive cannot be written" >&2
    exit 10
}
echo "$archive:"
awk -F'\t' 'NR > 1 { printf "  %-40s %6d bytes%s\n", ($1 == "-" ? "" : $1 "/") $2, $3, $5 == "-" ? "" : ", " $5 }
    $5 == "not accepted" && !told[$1]++ { open = open " " $1 }
    END { if (open) print "not accepted yet:" open }' "$folder/manifest.tsv"
