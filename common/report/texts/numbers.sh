#!/bin/sh
# numbers.sh [FILE.md ...]: fails if a measured number stands outside the marks that fill.sh fills
# (rules: numbers.awk). Without files: every text but two, whose numbers are the harness's settings.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 1
if [ $# -eq 0 ]; then
    set -- *.md steps/*/README.md solutions/*/*.md docs/results/*/README.md
    for text in docs/*.md docs/concepts/*.md; do
        case $text in *harness.md | *exit-codes.md) ;; *) set -- "$@" "$text" ;; esac
    done
fi
exec awk -f common/report/texts/paragraph.awk -f common/report/texts/numbers.awk "$@"
