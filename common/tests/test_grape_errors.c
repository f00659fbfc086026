/* What the library of the GRAPE-6's interface says of wrong calls: a code, one line, and nothing is
 * lost. */
#include "grape_emulator.h"
#include "files.h"

enum { N = 40, NI = 5 };

static struct emulated grape;
static struct block block;
static double at[3] = {1, 2, 3}, nowhere[3] = {1, NAN, 3}, apart[3] = {1, INFINITY, 3};
static int count, list[N];

static int fill(void **state) {
    (void)state;
    for (int j = 0; j < N; j++)
        if (j || !g6_open(0))
            write_random(&grape, j, j, 1);
    set_time(&grape, 1);
    take_bodies(&grape, &block, NI, 2);
    return begin_folder(state);
}

static int empty(void **state) {
    return g6_close(0) | end_folder(state);
}

/* What a call writes to stderr, to be freed. */
static char *said_by(int (*call)(void), int *code) {
    char path[96];
    int before = dup(2), file;
    char *text;

    snprintf(path, sizeof path, "%s/said", folder);
    file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    fflush(stderr);
    dup2(file, 2);
    *code = call();
    dup2(before, 2);
    close(before);
    close(file);
    text = read_file(path, NULL);
    assert_non_null(text);
    return text;
}

/* The block with one thing wrong, and the code that its force has. */
static int force_of(int nj, int ni, double eps2) {
    block.ni = ni;
    first_half(&grape, nj, &block, eps2);
    return second_half(&grape, nj, &block, eps2);
}

static int set(int address, double tj, double mass, double *v, double *x) {
    double zero[3] = {0};

    return g6_set_j_particle(0, address, 1, tj, 0, mass, zero, zero, zero, v, x);
}

#define CALL(name, ...)                                                                            \
    static int name(void) {                                                                        \
        __VA_ARGS__;                                                                               \
    }

CALL(open_below, return g6_open(-1))
CALL(open_above, return g6_open(GRAPE6_CLUSTERS))
CALL(open_again, return g6_open(0))
CALL(close_closed, return g6_close(1))
CALL(time_of_closed, return g6_set_ti(1, 0))
CALL(force_of_closed, return g6calc_lasthalf(1, HALF(&block, N), 0, block.h2, FORCES(&block)))
CALL(address_below, return set(-1, 0, 1, at, at))
CALL(address_above, return set(GRAPE6_BODIES, 0, 1, at, at))
CALL(place_nan, return set(3, 0, 1, at, nowhere))
CALL(velocity_infinite, return set(3, 0, 1, apart, at))
CALL(mass_nan, return set(3, 0, NAN, at, at))
CALL(time_infinite, return set(3, INFINITY, 1, at, at))
CALL(acceleration_nan, return g6_set_j_particle(0, 3, 1, 0, 0, 1, at, at, nowhere, at, at))
CALL(jerk_nan, return g6_set_j_particle(0, 3, 1, 0, 0, 1, at, nowhere, at, at, at))
CALL(snap_nan, return g6_set_j_particle(0, 3, 1, 0, 0, 1, nowhere, at, at, at, at))
CALL(ti_nan, return g6_set_ti(0, NAN))
CALL(nj_0, return force_of(0, NI, 0.01))
CALL(nj_below, return force_of(-1, NI, 0.01))
CALL(nj_above, return force_of(GRAPE6_BODIES + 1, NI, 0.01))
CALL(ni_0, return force_of(N, 0, 0.01))
CALL(ni_above, return force_of(N, 16385, 0.01))
CALL(eps2_nan, return force_of(N, NI, NAN))
CALL(eps2_below, return force_of(N, NI, -1e-300))
CALL(target_nan, block.x[3][2] = NAN; return force_of(N, NI, 0.01))
CALL(target_velocity, block.v[2][0] = -INFINITY; return force_of(N, NI, 0.01))
CALL(too_near, block.index[2] = -1; block.x[2][0] = 0x1p-530; memset(&block.x[2][1], 0, 16);
     double zero[3] = {0}; set(N, 1, 1, at, zero); return force_of(N + 1, NI, 0))
CALL(lists_of_closed, return g6_read_neighbour_list(1))
CALL(h2_nan, block.h2[4] = NAN; assert_int_equal(force_of(N, NI, 0.01), 0);
     return g6_read_neighbour_list(0))
CALL(list_not_read, assert_int_equal(force_of(N, NI, 0.01), 0);
     return g6_get_neighbour_list(0, 0, N, &count, list))
CALL(list_above, assert_int_equal(force_of(N, NI, 0.01) | g6_read_neighbour_list(0), 0);
     return g6_get_neighbour_list(0, NI, N, &count, list))
CALL(other_ni, first_half(&grape, N, &block, 0.01); block.ni--;
     return second_half(&grape, N, &block, 0.01))
CALL(other_nj, first_half(&grape, N, &block, 0.01); return second_half(&grape, 2, &block, 0.01))
CALL(no_backend, setenv("GRAPE6_BACKEND", "hologram", 1); int code = g6_open(2);
     unsetenv("GRAPE6_BACKEND"); return code)
CALL(pipe_above, g6_set_i_particle(0, 16384, 1, at, at, 0, 0); return 0)

static const struct wrong {
    int (*call)(void);
    int code;
    const char *line; /* all that is said, behind "grape6: " */
} wrongs[] = {
    {open_below, GRAPE6_NOT_OPEN, "there is no cluster -1; ids are 0 to 255"},
    {open_above, GRAPE6_NOT_OPEN, "there is no cluster 256; ids are 0 to 255"},
    {open_again, GRAPE6_NOT_OPEN, "cluster 0: it is open already; g6_close() comes first"},
    {close_closed, GRAPE6_NOT_OPEN, "cluster 1: it is not open; g6_open() comes first"},
    {time_of_closed, GRAPE6_NOT_OPEN, "cluster 1: it is not open; g6_open() comes first"},
    {force_of_closed, GRAPE6_NOT_OPEN, "cluster 1: it is not open; g6_open() comes first"},
    {lists_of_closed, GRAPE6_NOT_OPEN, "cluster 1: it is not open; g6_open() comes first"},
    {address_below, GRAPE6_BAD_ARGUMENT,
     "cluster 0: there is no address -1; they are 0 to 67108863"},
    {address_above, GRAPE6_BAD_ARGUMENT,
     "cluster 0: there is no address 67108864; they are 0 to 67108863"},
    {place_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {velocity_infinite, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {mass_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {time_infinite, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {acceleration_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {jerk_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {snap_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the body for address 3 has numbers that are not finite"},
    {ti_nan, GRAPE6_BAD_ARGUMENT, "cluster 0: the time nan is not finite"},
    {nj_0, GRAPE6_BAD_ARGUMENT, "cluster 0: nj = 0 is not a number from 1 to 67108864"},
    {nj_below, GRAPE6_BAD_ARGUMENT, "cluster 0: nj = -1 is not a number from 1 to 67108864"},
    {nj_above, GRAPE6_BAD_ARGUMENT, "cluster 0: nj = 67108865 is not a number from 1 to 67108864"},
    {ni_0, GRAPE6_BAD_ARGUMENT, "cluster 0: ni = 0 is not a number from 1 to 16384"},
    {ni_above, GRAPE6_BAD_ARGUMENT, "cluster 0: ni = 16385 is not a number from 1 to 16384"},
    {eps2_nan, GRAPE6_BAD_ARGUMENT, "cluster 0: eps2 = nan is not 0 or more"},
    {eps2_below, GRAPE6_BAD_ARGUMENT, "cluster 0: eps2 = -1e-300 is not 0 or more"},
    {target_nan, GRAPE6_BAD_ARGUMENT,
     "cluster 0: body i 3 has a position or velocity that is not finite"},
    {target_velocity, GRAPE6_BAD_ARGUMENT,
     "cluster 0: body i 2 has a position or velocity that is not finite"},
    {too_near, GRAPE6_OVERFLOW,
     "cluster 0: the force on body i 2 is not finite; a body is too near or too far"},
    {h2_nan, GRAPE6_BAD_ARGUMENT, "cluster 0: h2 of body i 4 is not a number"},
    {list_not_read, GRAPE6_NO_FORCE,
     "cluster 0: it has no lists; g6_read_neighbour_list() comes first"},
    {list_above, GRAPE6_BAD_ARGUMENT, "cluster 0: there is no list 5; they are 0 to 4"},
    {other_ni, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the first half had ni = 5 and nj = 40, the second 4 and 40"},
    {other_nj, GRAPE6_BAD_ARGUMENT,
     "cluster 0: the first half had ni = 5 and nj = 40, the second 5 and 2"},
    {no_backend, GRAPE6_BAD_ARGUMENT,
     "cluster 2: GRAPE6_BACKEND=hologram is no backend; cpu is one"},
    {pipe_above, 0, "cluster 0: there is no pipe 16384; they are 0 to 16383"},
};

TEST(a_code_one_line_and_nothing_is_lost) {
    for (size_t w = 0; w < sizeof wrongs / sizeof *wrongs; w++) {
        struct block right = block;
        char line[160], *said;
        int code;

        snprintf(line, sizeof line, "grape6: %s\n", wrongs[w].line);
        for (int i = 0; i < NI; i++)
            block.pot[i] = 42, block.nearest[i] = -42;
        said = said_by(wrongs[w].call, &code);
        assert_string_equal(said, line);
        assert_int_equal(code, wrongs[w].code);
        if (code && wrongs[w].call != h2_nan && wrongs[w].call != list_not_read &&
            wrongs[w].call != list_above)
            for (int i = 0; i < NI; i++)
                assert_true(block.pot[i] == 42 && block.nearest[i] == -42);
        free(said);
        block = right;
        compute_and_compare(&grape, N, &block, 0.01);
    }
}

CALL(nothing_before, return second_half(&grape, N, &block, 0.01))
CALL(no_list_before, return g6_read_neighbour_list(0))
CALL(no_pipes, int flag[NI]; return g6_get_force(0, FORCES(&block), flag))

TEST(a_new_cluster_has_no_force) {
    static const struct wrong firsts[] = {
        {nothing_before, GRAPE6_NO_FORCE, "no first half comes before this second one"},
        {no_list_before, GRAPE6_NO_FORCE, "neighbours are those of a force; none was computed"},
        {no_pipes, GRAPE6_NO_FORCE, "it has no bodies i; g6_set_nip() comes first"},
    };

    assert_int_equal(g6_close(0) | g6_open(0), 0);
    for (size_t w = 0; w < sizeof firsts / sizeof *firsts; w++) {
        char line[160], *said;
        int code;

        snprintf(line, sizeof line, "grape6: cluster 0: %s\n", firsts[w].line);
        said = said_by(firsts[w].call, &code);
        assert_string_equal(said, line);
        assert_int_equal(code, firsts[w].code);
        free(said);
    }
}

GROUP(fill, empty)
