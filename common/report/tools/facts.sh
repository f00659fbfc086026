# shellcheck shell=sh disable=SC2034
# For scripts that measure: sourced with RECORD-facts.csv in $facts, or nothing by those that add none. Makes $out,
# a folder that goes when the script ends, and $run, the record's last run.
export LC_ALL=C

fail() {
    echo "$(basename "$0"): $1" >&2
    exit 1
}

[ -z "$facts" ] || [ -s "$facts" ] || fail "$facts is empty or not there; make bench writes it"
[ -z "$facts" ] || run=$(tail -n 1 "$facts" | cut -d, -f1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

# number NAME FILE: what JSON in the file has under that name.
number() {
    sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$2"
}

# add_facts FILE: adds its rows, all of them or none.
add_facts() {
    # shellcheck disable=SC2016 # that shell expands them
    flock "$(dirname "$facts")" sh -c 'cat "$1" "$2" >"$1.new" && mv "$1.new" "$1"' sh "$facts" "$1"
}
