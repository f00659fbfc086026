/* The clients of common/grape/clients: their physics, by their own functions; then all of them as a
 * user builds and runs them. Run from the repository's root. */
#include "testing.h"
#include "scratch.h"

int hermite_main(int argc, char **argv);
int tree_main(int argc, char **argv);

#define main hermite_main
#include "grape/clients/hermite.c"
#undef main

/* The names that both clients have. */
#define main  tree_main
#define start tree_start
#define add   tree_add
#include "grape/clients/tree.c"
#undef main
#undef start
#undef add

/* In double, which the bounds below are for. */
static int open_cluster(void **state) {
    (void)state;
    setenv("GRAPE6_BACKEND", "cpu", 1);
    return g6_open(0);
}

static int close_cluster(void **state) {
    (void)state;
    return g6_close(0);
}

#define PHYSICS(name) TEST_IN(open_cluster, close_cluster, name)

static void end_hermite(struct hermite *h) {
    free(h->time), free(h->acc), free(h->jerk), free(h->level), free(h->order), free(h->sorted);
    free(h->index), free(h->nearest), free(h->x), free(h->v), free(h->felt), free(h->felt_jerk);
    free(h->pot);
    free(h->stars.index), free(h->stars.mass), free(h->stars.x), free(h->stars.v);
}

/* Masses 3/4 and 1/4 at their greatest distance, 1 + e, with semi-major axis 1. */
static struct stars kepler(double e) {
    struct stars stars = make_stars(2);
    double speed = sqrt((1 - e) / (1 + e));

    stars.mass[0] = 0.75, stars.mass[1] = 0.25;
    stars.x[0][0] = -(1 + e) / 4, stars.x[1][0] = 3 * (1 + e) / 4;
    stars.v[0][1] = -speed / 4, stars.v[1][1] = 3 * speed / 4;
    return stars;
}

/* Where the lighter star is at the time 4, past the next approach. */
static void end_of_orbit(double eta, double x[3]) {
    struct hermite h = start(kepler(0.5), 0, eta);

    evolve(&h, 4);
    memcpy(x, h.stars.x[1], 3 * sizeof *x);
    assert_true(momentum(&h.stars) < 1e-14);
    end_hermite(&h);
}

static double distance(const double a[3], const double b[3]) {
    return length_of((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

/* A quarter of eta halves all steps. */
PHYSICS(hermite_is_of_the_fourth_order) {
    double right[3], x[3], error, before = 0;

    end_of_orbit(1e-6, right);
    for (double eta = 4e-3; eta > 1e-4; eta /= 4) {
        end_of_orbit(eta, x);
        error = distance(x, right);
        if (before > 0)
            assert_true(before / error > 12 && before / error < 21);
        before = error;
    }
}

static double energy_error(int n, double eps, uint64_t seed, double end) {
    struct hermite h = start(plummer_sphere(n, seed), eps, 0.02);
    double before = kinetic_energy(&h.stars) + potential_energy_here(&h.stars, eps), after;

    evolve(&h, end);
    after = kinetic_energy(&h.stars) + potential_energy_here(&h.stars, eps);
    assert_true(fabs(potential_energy(&h.stars, eps) / potential_energy_here(&h.stars, eps) - 1) <
                1e-9);
    end_hermite(&h);
    return fabs(after / before - 1);
}

PHYSICS(hermite_keeps_the_energy) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        assert_true(energy_error(256, 1.0 / 256, seed, 0.5) < 2e-7);
        assert_true(energy_error(256, 0, seed, 0.5) < 2e-7);
    }
}

/* Among so many stars some are passing others at the beginning. */
PHYSICS(the_first_steps_are_short) {
    assert_true(energy_error(4096, 1.0 / 256, 1, 1.0 / 64) < 5e-8);
    assert_true(energy_error(4096, 1.0 / 256, 4, 1.0 / 64) < 5e-8);
}

/* With one step for all, forces between two stars are opposite. Steps that differ give as much
 * momentum as they are wrong. */
PHYSICS(hermite_keeps_the_momentum) {
    struct hermite h = start(plummer_sphere(256, 1), 0.25, 1e9);

    evolve(&h, 0.5);
    assert_int_equal(h.blocks, 32);
    assert_true(momentum(&h.stars) < 1e-15);
    end_hermite(&h);
    h = start(plummer_sphere(256, 1), 1.0 / 256, 0.02);
    evolve(&h, 0.5);
    assert_true(momentum(&h.stars) < 2e-8);
    end_hermite(&h);
}

/* The block of the least time + step of all stars, by a look at all. */
static int is_next(const struct hermite *h, double now, int i) {
    return h->time[i] + ldexp(1, -h->level[i]) == now;
}

PHYSICS(blocks_are_those_of_a_look_at_all_stars) {
    enum { N = 300 };
    struct hermite h = start(plummer_sphere(N, 5), 1.0 / 256, 0.02);
    int grown = 0, shrunk = 0;

    while (h.now < 0.25) {
        double next = INFINITY;
        int expected = 0, coarsest, size, was[N];
        struct hermite looked = h;

        for (int i = 0; i < N; i++) {
            next = fmin(next, h.time[i] + ldexp(1, -h.level[i]));
            was[i] = h.level[i];
        }
        for (int i = 0; i < N; i++)
            expected += is_next(&h, next, i);
        size = next_block(&looked, &coarsest);
        assert_int_equal(size, expected);
        assert_true(looked.now == next);
        for (int b = 0; b < size; b++)
            assert_true(is_next(&h, next, h.order[b]));
        advance(&h);
        assert_true(h.now == next);
        for (int i = 0; i < N; i++) {
            double step = ldexp(1, -h.level[i]);

            assert_true(fmod(h.time[i], step) == 0);
            assert_true(h.time[i] <= h.now && h.now < h.time[i] + step);
            assert_true(h.level[i] >= COARSEST && h.level[i] >= was[i] - 1);
            grown += h.level[i]<was[i], shrunk += h.level[i]> was[i];
        }
    }
    assert_true(grown > N && shrunk > N / 2);
    end_hermite(&h);
}

static void end_tree(struct tree *tree) {
    free(tree->keys), free(tree->groups), free(tree->cells), free(tree->spare), free(tree->acc);
    free(tree->jerk), free(tree->pot), free(tree->nearest);
    free(tree->stars.index), free(tree->stars.mass), free(tree->stars.x), free(tree->stars.v);
}

/* The root of the mean square of the relative error of accelerations, and the largest of
 * potentials; against direct sums. */
static void tree_errors(int n, int ncrit, double theta, int is_lean, double *acc_error,
                        double *pot_error) {
    struct tree tree = plant(plummer_sphere(n, 2), ncrit, theta, 1.0 / 32, is_lean);
    double(*acc)[3] = room_for(n, sizeof *acc), (*jerk)[3] = room_for(n, sizeof *jerk);
    double *pot = room_for(n, sizeof *pot), sum = 0;

    tree_forces(&tree);
    assert_true(tree.group_count >= n / ncrit);
    for (int g = 0; g < tree.group_count; g++)
        assert_in_range(tree.groups[g + 1] - tree.groups[g], 1, ncrit);
    for (int j = 0; j < n; j++)
        must(g6_set_j_particle_mxonly(0, j, j, tree.stars.mass[j], tree.stars.x[j]));
    forces(n, n, tree.stars.index, tree.stars.x, tree.stars.v, 1.0 / 32, acc, jerk, pot, NULL);
    *pot_error = 0;
    for (int i = 0; i < n; i++) {
        double error = distance(tree.acc[i], acc[i]) / length_of(acc[i]);

        sum += error * error / n;
        *pot_error = fmax(*pot_error, fabs(tree.pot[i] / pot[i] - 1));
    }
    *acc_error = sqrt(sum);
    free(acc), free(jerk), free(pot);
    end_tree(&tree);
}

/* With theta = 0 every cell is opened, and what is left are the stars, each but for itself. */
PHYSICS(a_tree_pulls_as_its_stars_do) {
    double acc_error, pot_error, finer;

    tree_errors(4096, 256, 0, 0, &acc_error, &pot_error);
    assert_true(acc_error < 1e-12 && pot_error < 1e-12);
    for (int is_lean = 0; is_lean < 2; is_lean++) {
        tree_errors(4096, 256, 0.5, is_lean, &finer, &pot_error);
        assert_true(finer < 1.2e-3 && pot_error < 1e-3);
        assert_true(finer > 1e-6);
        tree_errors(4096, 256, 1, is_lean, &acc_error, &pot_error);
        assert_true(acc_error < 1e-2 && acc_error > 2 * finer);
    }
}

/* A single star of a group feels all others and not itself: the potential of two. */
PHYSICS(no_star_of_a_tree_feels_itself) {
    struct tree tree = plant(kepler(0.5), 1, 0.5, 0.1, 0);

    tree.stars.mass[0] = tree.stars.mass[1] = 0.5;
    tree_forces(&tree);
    assert_int_equal(tree.group_count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(tree.pot[i] + 0.5 / sqrt(1.5 * 1.5 + 0.01)) < 1e-12);
    end_tree(&tree);
}

/* The clients, built in the folder's grape6/bin by the library that is installed there. */
static int build_clients(void **state) {
    return begin_folder(state) ||
           run("PATH=/usr/bin:/bin common/grape/clients/tables.sh cpu $D 256") ||
           run("mv $D/grape6/bin/* $D");
}

/* The command, and what it said if it failed. */
static void do_it(const char *command) {
    if (run("%s", command))
        fail_msg("%s\n%s", command, read_text("said"));
}

/* Without the seconds. */
#define ROW(threads) "OMP_NUM_THREADS=" threads " $D/hermite 512 | cut -d, -f 1-3,5- "

TEST_IN(build_clients, end_folder, the_clients_as_a_user_has_them) {
    do_it("wc -l <$D/tables-1-2.csv | grep -x 3 && grep '^256,' $D/tables-1-2.csv");
    do_it("grep -c '^256,0,' $D/tables-5-6.csv | grep -x 2");
    do_it("grep -c '^256,8192,0.75,0.015625,[nl][a-z]*,[0-9]' $D/tables-7-8.csv | grep -x 2");
    do_it("grep '^acc jerk pot,256,256,31,' $D/tables-3-4.csv");
    do_it("grep '^acc pot,256,256,31,' $D/tables-3-4.csv");
    do_it("head -n 1 $D/*.csv | grep -c '^# .*; backend cpu; 20..-..-' | grep -x 6");
    do_it(ROW("2") ">$D/first && [ $(tr , '\\n' <$D/first | wc -l) = 10 ]");
    /* Killed in the middle of a force, and started again. */
    do_it("$D/hermite 65536 & sleep 0.3; kill -9 $! && ! wait $!");
    do_it(ROW("1") "| diff $D/first -");
    do_it("GRAPE6_PIPES=48 " ROW("1") "| diff $D/first -");
    do_it("$D/tree 2048 128 0.5 0.015625 1 normal | cut -d, -f 1-4,7-8 >$D/normal && "
          "$D/tree 2048 128 0.5 0.015625 1 lean | cut -d, -f 1-4,7-8 | diff $D/normal -");
    do_it("awk -F, '$1 != 2048 || $5 > 2048 || $6 ^ 2 > 1e-8 { exit 1 }' $D/normal");
    do_it("$D/rates squares 300000 >$D/squares && [ $(wc -l <$D/squares) = 4 ]");
    do_it("! $D/hermite 512 0.3 2>$D/said2 && grep 'multiples of 1/64' $D/said2");
    do_it("! $D/hermite few 2>$D/said2 && grep -x 'few is not a number' $D/said2");
}

TEST_IN(begin_folder, end_folder, the_tables_of_the_document_are_the_records) {
    do_it("$(sed -n 's,^    \\(common/grape/clients/beside.sh \\),\\1,p' docs/grape6.md) "
          ">$D/beside && "
          "sed -n '/^```tables$/,/^```$/{/^```/!p}' docs/grape6.md | diff - $D/beside && "
          "[ $(wc -l <$D/beside) = 95 ]");
}
