/* Which sizes and iterations each program gets, on machines with and without a GPU. */
#include "testing.h"
#include "referee/timing/plan.h"
#include "referee/timing/timing.h"

/* "30000x10 65536x10"; x0: the timing chooses; "-": without errors. */
static const char *planned(struct planned what) {
    static char text[256];
    struct occasion occasions[MOST_SIZES];
    int count = plan_occasions(&what, occasions), i;

    *text = 0;
    for (i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%dx%d%s", i ? " " : "", occasions[i].n,
                occasions[i].iterations, occasions[i].errors ? "" : "-");
    return text;
}

/* The problem nbody's, but with less to read. */
static const int timed[] = {30000, 65536, 131072, 0};
static const int by_device[] = {131072, 1024, 1048576, 0};
static const struct sizes sizes = {.small = 4096,
                                   .with_errors = 131072,
                                   .beside = 65536,
                                   .timed = timed,
                                   .iterations = 10,
                                   .by_device = by_device};

#define PLANNED(...) planned((struct planned){.sizes = &sizes, __VA_ARGS__})
#define ALL          "30000x0 65536x0- 131072x0-"
#define ALL_GPU      "30000x10 65536x10 131072x10"

TEST(test_bench) {
    for (int gpu = 0; gpu < 2; gpu++) {
        assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .gpu = gpu), ALL);
        assert_string_equal(PLANNED(.backend = "cpu", .gpu = gpu), "30000x0");
        assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .threads = 2, .gpu = gpu),
                            "30000x0");
        assert_string_equal(PLANNED(.backend = "cpucuda", .is_default = 1, .gpu = gpu), "4096x0");
        assert_string_equal(PLANNED(.backend = "cpucuda", .gpu = gpu), "4096x0");
    }
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .gpu = 1, .companion = 1),
                        "30000x0 65536x0-");
    assert_string_equal(
        PLANNED(.backend = "cpu", .is_default = 1, .gpu = 1, .companion = 1, .n = 70000), "");
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .companion = 1), ALL);
    assert_string_equal(PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1, .companion = 1),
                        ALL_GPU);
    assert_string_equal(PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1), ALL_GPU);
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1), ALL_GPU);
}

/* The powers of two, in their places between the three sizes, which keep their iterations. */
TEST(test_over_n) {
    static const char all[] =
        "1024x0 2048x0 4096x0 8192x0 16384x0 30000x10 32768x0 65536x10 131072x10 262144x0- "
        "524288x0- 1048576x0-";
    assert_string_equal(PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1, .over_n = 1), all);
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1, .over_n = 1), ALL_GPU);
    assert_string_equal(
        PLANNED(.backend = "cuda", .is_default = 1, .ladder = 1, .gpu = 1, .over_n = 1), ALL_GPU);
    assert_string_equal(PLANNED(.backend = "cpucuda", .is_default = 1, .over_n = 1), "4096x0");
    assert_string_equal(
        PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1, .over_n = 1, .n = 2000000),
        "2000000x0-");
    assert_string_equal(
        PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1, .over_n = 1, .n = 1048576),
        "1048576x0-");
}

TEST(test_ladder) {
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .ladder = 1), "4096x0");
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .threads = 1, .ladder = 1),
                        "4096x0");
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .ladder = 1, .gpu = 1),
                        "30000x0");
    assert_string_equal(PLANNED(.backend = "cpucuda", .is_default = 1, .ladder = 1), "4096x0");
    assert_string_equal(PLANNED(.backend = "cuda", .is_default = 1, .ladder = 1, .gpu = 1),
                        ALL_GPU);
    assert_string_equal(PLANNED(.backend = "cpu", .ladder = 1), "");
    assert_string_equal(PLANNED(.backend = "cuda", .ladder = 1, .gpu = 1), "");
}

/* N= and ITERATIONS=: of every program, that alone. */
TEST(test_what_was_asked) {
    assert_string_equal(PLANNED(.backend = "cpu", .n = 1000), "1000x0");
    assert_string_equal(PLANNED(.backend = "cpucuda", .n = 1000), "1000x0");
    assert_string_equal(PLANNED(.backend = "cuda", .n = 1000, .gpu = 1), "1000x0");
    assert_string_equal(PLANNED(.backend = "cuda", .n = 65536, .gpu = 1), "65536x10");
    assert_string_equal(PLANNED(.backend = "cuda", .n = 65536, .iterations = 3), "65536x3");
    assert_string_equal(PLANNED(.backend = "cuda", .iterations = 3), "30000x3 65536x3 131072x3");
    assert_string_equal(PLANNED(.backend = "cpu", .is_default = 1, .ladder = 1, .n = 7), "7x0");
}

TEST(test_what_is_timed) {
    assert_true(plan_is_timed("cpu"));
    assert_true(plan_is_timed("cuda"));
    assert_false(plan_is_timed("cpucuda"));
    assert_int_equal(REPEATS, 10);
    assert_int_equal(SLOW_REPEATS, 3);
}

/* By the device's clock; the iteration makes positions. */
TEST(test_by_device) {
    assert_string_equal(PLANNED(.backend = "cuda", .is_default = 1, .gpu = 1, .device_clock = 1),
                        "131072x1 1024x1 1048576x1");
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1, .device_clock = 1), "131072x1");
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1, .device_clock = 1, .n = 4096),
                        "4096x1");
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1, .device_clock = 1, .device_sizes = 2),
                        "131072x1 1024x1");
    assert_string_equal(PLANNED(.backend = "cuda", .gpu = 1, .device_clock = 1, .device_sizes = 9),
                        "131072x1 1024x1 1048576x1");
}

/* Of variants that both clocks could time the device's alone, where the problem says so. */
TEST(test_device_alone) {
    static const struct sizes alone = {
        .timed = timed, .by_device = by_device, .iterations = 10, .device_alone = 1};
    const struct planned variant = {.sizes = &alone, .backend = "cuda", .gpu = 1, .device_too = 1};
    struct planned other = variant;

    assert_string_equal(planned(variant), "");
    other.is_default = 1;
    assert_string_equal(planned(other), "30000x10- 65536x10- 131072x10-");
    other = variant;
    other.device_too = 0;
    assert_string_equal(planned(other), "30000x10- 65536x10- 131072x10-");
    other = variant;
    other.sizes = &sizes;
    assert_string_equal(planned(other), ALL_GPU);
    other = variant;
    other.device_too = 0;
    other.device_clock = 1;
    assert_string_equal(planned(other), "131072x1");
}

TEST(test_largest) {
    static const int larger[] = {1024, 1 << 28, 0};
    const struct sizes more = {.timed = larger}, by_clock = {.timed = timed, .by_device = larger};

    assert_int_equal(plan_largest(&sizes), 1048576);
    assert_int_equal(plan_largest(&more), 1 << 28);
    assert_int_equal(plan_largest(&by_clock), 1 << 28);
}
