#!/bin/sh
# numbers.sh [FILE.md ...]: fails if a measured number stands outside the marks that fill.sh fills
# (rules: numbers.awk). Without files: every text but two, whose numbers are the harness's settings.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- README.md steps/*/README.md solutions/*/NOTES.md docs/results/*/README.md \
    $(ls docs/*.md | grep -v -e harness -e exit-codes)
exec awk -f common/report/numbers.awk "$@"
