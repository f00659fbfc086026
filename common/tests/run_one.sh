#!/bin/sh
# For run.sh: runs the test of that name, or checks all `solutions`. What it says is shown in one
# piece when it is over, with its seconds and the CPU's; the name of one that fails goes to
# build/tests/failed.
export LC_ALL=C
began=$(date +%s)
log=build/tests/$1.log
case $1 in
solutions) build/referee check --of solutions >"$log" 2>&1 ;;
*) "build/tests/$1" >"$log" 2>&1 ;;
esac || echo "$1" >>build/tests/failed
times >"$log.times" # not in a pipe: that would be another shell's
cpu=$(awk -F '[ms ]+' 'NR == 2 { print 60 * ($1 + $3) + $2 + $4 }' "$log.times")

# Two that end together take turns.
exec 9<build/tests
flock 9
echo "== $1, after $((began - BEGIN)) s, for $(($(date +%s) - began)) s, $cpu s of CPU"
cat "$log"
