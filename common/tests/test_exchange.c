/* Step 17 as several processes: right with any number of ranks, also where n is no multiple of it,
 * and ended by a clear line if a rank is lost. Run from the repository's root. */
#include "testing.h"
#include "command.h"

/* mpirun of what `make standalone` names; as root it wants to be asked twice. Ranks of one machine
 * need no network, and a machine may have none that suits them. */
#define MPIRUN                                                                                     \
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=^tcp "                 \
    "CPUCUDA_WORKERS=1 timeout 120 mpirun --oversubscribe "

static char program[4096];

static int build(void **state) {
    struct result result;
    char *path;

    if (enter_tree(state))
        return -1;
    if (system("command -v mpicc mpirun >/dev/null")) {
        fprintf(stderr, "several ranks: skipped: MPI (libopenmpi-dev, openmpi-bin) is not "
                        "installed\n");
        return 0;
    }
    result = run("NVCC= make -s standalone STEP=17 OF=solutions VARIANT=mpi");
    path = strstr(result.out, "usage: ");
    if (path)
        snprintf(program, sizeof program, "%.*s", (int)strcspn(path + 7, " "), path + 7);
    else
        fprintf(stderr, "%s%s", result.out, result.err);
    return path ? 0 : -1;
}

TEST(test_ranks) {
    static const int ranks[] = {1, 2, 3, 5}, sizes[] = {1, 2, 4, 257, 1000};
    size_t i, k;

    if (!*program)
        skip();
    for (i = 0; i < sizeof ranks / sizeof *ranks; i++)
        for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            struct result result = run(MPIRUN "-n %d %s %d", ranks[i], program, sizes[k]);
            char line[64];

            snprintf(line, sizeof line, "n = %d, 2 iterations: accepted", sizes[k]);
            assert_code(result, 0);
            assert_says(result.out, line);
            assert_null(strstr(strstr(result.out, line) + 1, line)); /* one rank prints */
        }
}

TEST(test_lost_rank) {
    struct result result;

    if (!*program)
        skip();
    result = run(MPIRUN "-n 3 %s 4096 100 & "
                        "for i in $(seq 100); do "
                        "  lost=$(pgrep -P $(pgrep -P $!) 2>/dev/null | tail -n 1); "
                        "  [ -n \"$lost\" ] && break; sleep 0.1; "
                        "done; sleep 2; kill -9 $lost; wait $!",
                 program);
    assert_int_not_equal(result.code, 0);
    assert_int_not_equal(result.code, 124); /* it did not go on waiting */
    assert_says(result.err, "signal 9 (Killed)");
}

TEST(test_too_many_ranks) {
    struct result result;

    if (!*program)
        skip();
    result = run(MPIRUN "-n 17 %s 100", program);
    assert_int_not_equal(result.code, 0);
    assert_says(result.err, "exchange.h: 17 ranks; at most 16");
}

/* What is not installed is named. */
TEST(test_without_mpi) {
    struct result result =
        run("mkdir -p few && for c in sh make gcc cc g++ awk sed grep find cat cmp cp mv rm mkdir "
            "dirname basename echo printf sort head tail tr cut objcopy uname ls as ld timeout "
            "nproc git env expr wc; do p=$(command -v $c) && ln -sf $p few/; done; "
            "NVCC= PATH=$PWD/few make -s standalone STEP=17 OF=solutions VARIANT=mpi");

    assert_int_not_equal(result.code, 0);
    assert_says(result.err, "VARIANT=mpi of 17_multi_gpu needs MPI (libopenmpi-dev, openmpi-bin), "
                            "which is not installed");
}

GROUP(build, leave_tree)
