#!/bin/sh
# All tests: every CMocka program of common/tests, and the check of all solutions. Without CMocka the
# check alone runs, and says so.
set -u
cd "$(dirname "$0")/../.." || exit 1
failed=0
begin=$(date +%s)
kernels=

say() {
    echo "== $1, after $(($(date +%s) - begin)) s"
}

if echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>' | ${CC:-cc} -E -xc - >/dev/null 2>&1; then
    make -s --no-print-directory -j"$(nproc 2>/dev/null || echo 1)" -C common tests || exit 1
    for test in build/tests/test_*; do
        case $test in *.d | *.log | */test_kernels) continue ;; esac
        say "$(basename "$test")"
        "$test" || failed=$((failed + 1))
    done
    # The longest one and the check measure no times, and each leaves a core idle now and then.
    build/tests/test_kernels >build/tests/test_kernels.log 2>&1 &
    kernels=$!
else
    echo "CMocka is not installed: the tests of the harness are left out (make setup installs it)"
fi

say "check of all solutions"
build/referee check --of solutions || failed=$((failed + 1))
if [ -n "$kernels" ]; then
    say "test_kernels, beside it,"
    wait "$kernels" || failed=$((failed + 1))
    cat build/tests/test_kernels.log
fi

[ "$failed" -eq 0 ] || { echo "$failed of the above failed"; exit 1; }
echo "all tests passed, after $(($(date +%s) - begin)) s"
