#!/bin/sh
# documents.sh [FILE.md ...]: fails if a text has a link, a command or a path that leads nowhere (rules:
# documents.awk). Without files: every text of the repository.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck disable=SC2046 # one name a word
[ $# -gt 0 ] || set -- $(find . -name '*.md' -not -path './build/*' -not -path './results/*' | sed 's|^\./||')
# Those of the help, and what make runs in a step's folder for the referee.
verbs=$(make -s help ALL=1 | sed -n 's/^  make \([a-z]*\) .*/\1/p'; sed -n 's/^\([a-z]*\):.*/\1/p' common/mk/step.mk)
variables=$(make -s no_such_variable=1 2>&1 | sed -n 's/.*those there are: \([A-Z_ ]*\).*/\1/p')
[ -n "$variables" ] || { echo "documents.sh: the Makefile does not say which variables there are" >&2; exit 1; }
# shellcheck disable=SC2086,SC2116 # one line
exec awk -v verbs="$(echo $verbs)" -v variables="$variables" -f common/report/texts/paragraph.awk -f common/report/texts/words.awk \
    -f common/report/texts/documents.awk "$@"
