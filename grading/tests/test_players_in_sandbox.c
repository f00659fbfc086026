/* The players of common/tests that cheat, fail or break out end in the sandbox as they do without,
 * at both levels: for the same reason, in the same words. */
#define OWN_MAIN
#include "testing.h"

static void play_at_level(void **state) {
    const char *level = *state;

    if (*level == '1' && geteuid() != 0) {
        print_message("level 1 needs root; skipped\n");
        skip();
    }
    setenv("TEST_SANDBOX", "build/sandbox", 1);
    setenv("SANDBOX_USER", "61990", 1);
    setenv("SANDBOX_LEVEL", level, 1);
    assert_int_equal(system("build/tests/test_players >build/tests/players_in_sandbox.log 2>&1 || "
                            "{ cat build/tests/players_in_sandbox.log; exit 1; }"),
                     0);
}

int main(void) {
    const struct CMUnitTest levels[] = {
        cmocka_unit_test_prestate(play_at_level, "2"),
        cmocka_unit_test_prestate(play_at_level, "1"),
    };

    return cmocka_run_group_tests(levels, NULL, NULL);
}
