#!/bin/sh
# All tests: every CMocka program of common/tests and grading/tests, and the check of all solutions.
# Without CMocka only the check runs, without the grader's libraries nothing of grading/, and says so.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

# These measure times: they run one after the other, with nothing beside them. All others run three at
# a time, a new test too: what builds, computes and compares is as right on a busy machine, and each
# waits now and then.
undisturbed='test_ceilings test_cpu_times test_players test_timing test_bench_resume'

# These wait most of their time, for other processes: they run one after the other beside the others.
waiting='test_slurm test_players_in_sandbox test_exchange test_grade test_grade_ended test_hostile'

# The longest ones begin first, so that none of them is left over with an idle core beside it.
longest='test_kernels solutions test_walk_step test_tree_steps_step test_galaxy_step test_course_handout
    test_build_surroundings test_command_output'

BEGIN=$(date +%s)
export BEGIN

# Tests make and delete many copies of the course. ext4 looks for each new file's inode behind all that
# were deleted in the last minutes; a file system in memory does not, if there is one with room.
room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
if [ "${room:-0}" -gt 4000000 ] && shm=$(mktemp -d /dev/shm/nbody-test.XXXXXX); then
    trap 'rm -rf "$shm"' EXIT
    trap 'exit 1' INT TERM
    chmod 1777 "$shm" # as /tmp: some tests are strangers
    cp /bin/true "$shm" && "$shm/true" && export TMPDIR="$shm"
fi

mkdir -p build/tests
: >build/tests/failed

if echo '#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>' | ${CC:-cc} -E -xc - >/dev/null 2>&1; then
    make -s --no-print-directory -j"$(nproc 2>/dev/null || echo 1)" -C common tests || exit 1
    for test in $undisturbed; do
        common/tests/run_one.sh "$test"
    done
    tests=$(basename -s .c common/tests/test_*.c)
    if make -s --no-print-directory -C grading libraries; then
        make -s --no-print-directory -j"$(nproc 2>/dev/null || echo 1)" -C grading tests || exit 1
        tests="$tests $(basename -s .c grading/tests/test_*.c)"
    else
        echo "the tests of the grader are left out: sh common/setup.sh tests installs what they need"
    fi
    # A thread that waits for others of its loop leaves the core to the test beside it.
    export OMP_WAIT_POLICY=passive
    for test in $tests; do
        case " $waiting " in *" $test "*) common/tests/run_one.sh "$test" ;; esac
    done &
    for test in $longest $tests; do
        case " $undisturbed $waiting " in *" $test "*) ;; *) echo "$test" ;; esac
    done | awk '!seen[$1]++' | xargs -n 1 -P 3 common/tests/run_one.sh
    wait
else
    echo "CMocka is not installed: the tests of the harness are left out (make setup installs it)"
    common/tests/run_one.sh solutions
fi

if [ -s build/tests/failed ]; then
    echo "failed: $(paste -s -d ' ' build/tests/failed)"
    exit 1
fi
echo "all tests passed, after $(($(date +%s) - BEGIN)) s"
