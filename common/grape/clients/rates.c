/* Rates of the library, call to call: of blocks of ni stars that feel nj, as a Hermite code asks
 * for them, and of n stars that feel each other. */
#include "sphere.h"

#include <string.h>

enum { BLOCK = 16384, MOST_REPEATS = 31, NEIGHBOURS = 33, LIST = 4096 };

/* Repeats end after so many seconds, from the third on. */
static const double long_enough = 1;

static struct stars stars;
static double (*acc)[3], (*jerk)[3], *pot, *h2;
static int *nearest, list[LIST];
static double listed; /* neighbours of a star, in the mean */

static void send(int i) {
    double zero[3] = {0};

    must(g6_set_j_particle(0, i, i, 0, 1, stars.mass[i], zero, zero, zero, stars.v[i], stars.x[i]));
}

static void only_forces(int nj, int ni) {
    forces(nj, ni, stars.index, stars.x, stars.v, 1.0 / 256, acc, jerk, pot, NULL);
}

static void with_nearest(int nj, int ni) {
    forces(nj, ni, stars.index, stars.x, stars.v, 1.0 / 256, acc, jerk, pot, nearest);
}

/* What a code does that treats close stars apart: the block's stars are written, and for each the
 * list of its neighbours is read. */
static void with_lists(int nj, int ni) {
    int pipes = g6_npipes();

    listed = 0;
    for (int i = 0; i < ni; i++)
        send(i);
    for (int i = 0; i < ni; i += pipes) {
        int count = ni - i < pipes ? ni - i : pipes, found;

        g6calc_firsthalf(0, nj, count, stars.index + i, stars.x + i, stars.v + i, acc + i, jerk + i,
                         pot + i, 1.0 / 65536, h2 + i);
        must(g6calc_lasthalf2(0, nj, count, stars.index + i, stars.x + i, stars.v + i, 1.0 / 65536,
                              h2 + i, acc + i, jerk + i, pot + i, nearest + i));
        must(g6_read_neighbour_list(0));
        for (int k = 0; k < count; k++) {
            must(g6_get_neighbour_list(0, k, LIST, &found, list));
            listed += (double)found / ni;
        }
    }
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

/* Prints a row. The first call is not counted. */
static void time_calls(const char *name, void (*call)(int nj, int ni), int nj, int ni) {
    double took[MOST_REPEATS], sum = 0, pairs = (double)nj * ni, median;
    int count = 0;

    listed = 0;
    call(nj, ni);
    while (count < MOST_REPEATS && (count < 3 || sum < long_enough)) {
        took[count] = -seconds();
        call(nj, ni);
        sum += took[count++] += seconds();
    }
    qsort(took, count, sizeof *took, compare);
    median = took[count / 2];
    printf("%s,%d,%d,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.1f\n", name, nj, ni, count, took[0], median,
           pairs / median * 1e-9, 38 * pairs / median * 1e-9, 60 * pairs / median * 1e-9, listed);
    fflush(stdout);
}

/* The sphere of radius sqrt(h2) around a star has NEIGHBOURS others, where the density is that of
 * Plummer's model. */
static void choose_radii(void) {
    for (int i = 0; i < stars.n; i++) {
        const double *x = stars.x[i], a = 3 * M_PI / 16;
        double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];

        h2[i] = a * a * pow(1 + r2 / (a * a), 5.0 / 3) * pow((double)NEIGHBOURS / stars.n, 2.0 / 3);
    }
}

static void take(int n) {
    size_t room = n;

    stars = plummer_sphere(n, 1);
    acc = room_for(room, sizeof *acc), jerk = room_for(room, sizeof *jerk);
    pot = room_for(room, sizeof *pot), h2 = room_for(room, sizeof *h2);
    nearest = room_for(room, sizeof *nearest);
    choose_radii();
    for (int i = 0; i < n; i++)
        send(i);
    must(g6_set_ti(0, 0));
}

static void leave(void) {
    free(stars.index), free(stars.mass), free(stars.x), free(stars.v);
    free(acc), free(jerk), free(pot), free(h2), free(nearest);
}

int main(int argc, char **argv) {
    double most = argument(argc, argv, 2, 1e9);

    if (argc < 2 || (strcmp(argv[1], "blocks") != 0 && strcmp(argv[1], "squares") != 0)) {
        fprintf(stderr, "usage: rates blocks|squares [most pairs per call]\n");
        return 1;
    }
    must(g6_open(0));
    for (int n = 256; n <= 1 << 20 && argv[1][0] == 's' && (double)n * n <= most; n *= 2) {
        take(n);
        must(g6_set_jerk_mode(0, 0));
        time_calls("acc pot", only_forces, n, n);
        must(g6_set_jerk_mode(0, 1));
        time_calls("acc jerk pot", only_forces, n, n);
        leave();
    }
    for (int nj = 1 << 17; nj <= 1 << 20 && argv[1][0] == 'b'; nj *= 8) {
        static const int sizes[] = {1, 16, 64, 256, 2048, BLOCK};

        take(nj);
        for (int k = 0; k < 6 && (double)nj * sizes[k] <= most; k++) {
            time_calls("acc jerk pot", only_forces, nj, sizes[k]);
            time_calls("nearest", with_nearest, nj, sizes[k]);
            time_calls("written and lists", with_lists, nj, sizes[k]);
        }
        leave();
    }
    return g6_close(0);
}
