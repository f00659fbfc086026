#!/bin/sh
# fill.sh [--check] FILE.md ...: fills the numbers between marks from docs/results/, and README.md's table of
# steps (see fill.awk).
# With --check changes nothing, and fails if a number is not the record's.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 1
check=
[ "${1:-}" = --check ] && { check=yes; shift; }
failed=0
for text in "$@"; do
    new=$(mktemp) || exit 1
    if ! awk -v folder=docs/results -v steps=common/report/steps.sh -f common/report/texts/fill.awk "$text" >"$new"; then
        failed=1
    elif ! cmp -s "$new" "$text"; then
        if [ -n "$check" ]; then
            echo "$text: a number differs from the record, or a step is missing; run common/report/texts/fill.sh $text" >&2
            failed=1
        else
            cat "$new" >"$text"
        fi
    fi
    rm -f "$new"
done
exit $failed
