#!/bin/sh
# All tests: every CMocka program of common/tests, then the check of all solutions.
# Without CMocka the check alone runs, and says so.
set -u
cd "$(dirname "$0")/../.." || exit 1
failed=0
begin=$(date +%s)

if echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>' | ${CC:-cc} -E -xc - >/dev/null 2>&1; then
    make -s --no-print-directory -j"$(nproc 2>/dev/null || echo 1)" -C common tests || exit 1
    for test in build/tests/test_*; do
        case $test in *.d) continue ;; esac
        echo "== $(basename "$test"), after $(($(date +%s) - begin)) s"
        "$test" || failed=$((failed + 1))
    done
else
    echo "CMocka is not installed: the tests of the harness are left out (make setup installs it)"
fi

echo "== check of all solutions, after $(($(date +%s) - begin)) s"
build/referee check --of solutions || failed=$((failed + 1))

[ "$failed" -eq 0 ] || { echo "$failed of the above failed"; exit 1; }
echo "all tests passed"
