#!/bin/sh
# For run.sh: runs the test of that name, or checks all `solutions`. What it says is shown in one
# piece when it is over; the name of one that fails goes to build/tests/failed.
began=$(date +%s)
log=build/tests/$1.log
case $1 in
solutions) build/referee check --of solutions >"$log" 2>&1 ;;
*) "build/tests/$1" >"$log" 2>&1 ;;
esac || echo "$1" >>build/tests/failed

# Two that end together take turns.
exec 9<build/tests
flock 9
echo "== $1, after $((began - BEGIN)) s, for $(($(date +%s) - began)) s"
cat "$log"
