#!/bin/sh
# diff.sh BEFORE AFTER: how the second source differs from the first, both as if they never had
# fences. One that is not there counts as empty; one whose fences are not whole is taken as it is.
set -u
export LC_ALL=C
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

without_fences() { # without_fences FILE COPY
    [ -e "$1" ] || { : >"$2"; return; }
    case $1 in
    */*) awk -v want=plain -f common/referee/lesson/fences.awk "$1" >"$2" 2>/dev/null || cat "$1" >"$2" ;;
    *) without_fences "./$1" "$2" ;;
    esac
}

without_fences "$1" "$scratch/before"
without_fences "$2" "$scratch/after"
sed -i 's/\r$//' "$scratch/before" "$scratch/after"
diff -u --label "$1" --label "$2" "$scratch/before" "$scratch/after"
[ $? -le 1 ]
