#!/bin/sh
# house.sh BEFORE [AFTER]: the size of the course's rooms at two commits, as the table of docs/house.md. For
# maintainers; AFTER is HEAD unless said. Records, pictures and what is derived count as nothing.
set -eu
export LC_ALL=C

[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: house.sh BEFORE [AFTER]" >&2; exit 3; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# count COMMIT NAME: a line "room lines path" for each file into $out/NAME
count() {
    git rev-parse -q --verify "$1^{commit}" >/dev/null || { echo "house.sh: there is no commit $1" >&2; exit 3; }
    mkdir "$out/$2.tree"
    git archive "$1" common grading solutions steps docs | tar -x -C "$out/$2.tree"
    (cd "$out/$2.tree" && find . -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.cu' -o -name '*.sh' -o -name '*.awk' \
        -o -name '*.gp' -o -name '*.js' -o -name '*.mk' -o -name Makefile -o -name '*.sql' -o -name '*.html' -o -name '*.css' \
        -o -name manifest -o -name '*.tsv' -o -name '*.ini' -o -name '*.md' \) ! -path './docs/results/*' \
        ! -path './steps/*/*.c' ! -path './steps/*/*.cu' -exec wc -l {} +) |
        awk '$2 != "total" {
            path = substr($2, 3); n = split(path, part, "/")
            room = part[1]
            if (part[1] == "common" && n > 2) room = part[1] "/" part[2]
            if (part[1] == "grading" && part[2] == "tests") room = "grading/tests"
            if (path ~ /\.md$/) room = part[1] " (texts)"
            print room, $1, path
        }' OFS='\t' >"$out/$2"
}
count "$1" before
count "${2:-HEAD}" after

echo "| room | files before | lines before | files now | lines now | longest now |"
echo "| --- | --- | --- | --- | --- | --- |"
awk '
    FNR == NR { files[$1, 1]++; lines[$1, 1] += $2; seen[$1]; next }
    { files[$1, 2]++; lines[$1, 2] += $2; seen[$1]
      if ($2 > most[$1]) { most[$1] = $2; name = $3; sub(/.*\//, "", name); longest[$1] = name " " $2 } }
    END {
        for (room in seen) {
            printf "| %s | %d | %d | %d | %d | %s |\n", room, files[room, 1], lines[room, 1], files[room, 2],
                lines[room, 2], longest[room] | "sort"
            for (k = 1; k <= 2; k++) { all[k] += files[room, k]; total[k] += lines[room, k] }
        }
        close("sort")
        printf "| all | %d | %d | %d | %d | |\n", all[1], total[1], all[2], total[2]
    }' FS='\t' "$out/before" "$out/after"

# How often grading/ includes a header of common/.
includes() {
    find "$out/$1.tree/grading" -name '*.h' -exec basename {} \; | sort -u >"$out/own"
    find "$out/$1.tree/common" -name '*.h' -exec basename {} \; | sort -u | comm -23 - "$out/own" >"$out/others"
    find "$out/$1.tree/grading" -name '*.[ch]' ! -path '*/tests/*' -exec sed -n 's/^#include "\(.*\/\)\{0,1\}\(.*\)"$/\2/p' {} + |
        grep -cxFf "$out/others"
}
# Files of common/ and grading/ that hold a step's name, tests aside.
named() {
    find "$out/$1.tree/steps" -mindepth 1 -maxdepth 1 -type d -exec basename {} \; >"$out/names"
    find "$out/$1.tree/common" "$out/$1.tree/grading" -type f ! -path '*/tests/*' ! -name '*.md' -exec grep -lwFf "$out/names" {} + |
        wc -l
}
cat <<END

| | before | now |
| --- | --- | --- |
| headers of common/ that files of grading/ include | $(includes before) | $(includes after) |
| files of common/ and grading/ that name a step, tests aside | $(named before) | $(named after) |
END
