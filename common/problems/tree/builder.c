/* A tree by a serial program that is easy to believe: each node looks for its children with all
 * bodies' keys sorted. */
#include "tree_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problems/radix_sort/sort_problem.h"

struct tree_cube tree_cube_of(const struct tree_body *bodies, int n) {
    struct tree_cube cube = {.side = 1};
    double extent = 0;

    for (int c = 0; c < 3 && n > 0; c++) {
        float low = tree_coordinate(&bodies[0], c), high = low;

        for (int i = 1; i < n; i++) {
            low = fminf(low, tree_coordinate(&bodies[i], c));
            high = fmaxf(high, tree_coordinate(&bodies[i], c));
        }
        cube.corner[c] = low;
        extent = fmax(extent, (double)high - low);
    }
    if (extent > 0)
        cube.side = ldexp(1, ilogb(extent) + 1);
    return cube;
}

/* Morton (1966): the bits of the three coordinates by turns. */
static uint64_t key_of(const struct tree_cube *cube, const struct tree_body *body) {
    uint64_t key = 0;

    for (int c = 0; c < 3; c++) {
        uint64_t cell = tree_cell_number(cube, c, tree_coordinate(body, c));

        for (int bit = 0; bit < TREE_LEVELS; bit++)
            key |= (cell >> bit & 1) << (3 * bit + 2 - c);
    }
    return key;
}

static int digit_of(uint64_t key, int level) {
    return (int)(key >> 3 * (TREE_LEVELS - 1 - level) & 7);
}

static int level_of(const uint64_t *keys, const struct tree_links *links) {
    int level = 0;

    while (level < TREE_LEVELS && digit_of(keys[links->first], level) ==
                                      digit_of(keys[links->first + links->count - 1], level))
        level++;
    return level;
}

/* All nodes, children behind their parents; returns how many. */
static int link_nodes(const struct tree_parameters *parameters, const uint64_t *keys,
                      struct tree_links *links) {
    int count = parameters->n > 0;

    links[0] = (struct tree_links){0, parameters->n, 0, 0};
    for (int i = 0; i < count; i++) {
        int level = level_of(keys, &links[i]), first = links[i].first;
        int end = first + links[i].count;

        if (links[i].count <= parameters->leaf || level == TREE_LEVELS)
            continue;
        links[i].child = count;
        while (first < end) {
            int last = first, step = end - first; /* the last body with the first one's digit */

            for (; step > 0; step /= 2)
                while (last + step < end &&
                       digit_of(keys[last + step], level) == digit_of(keys[first], level))
                    last += step;
            links[count++] = (struct tree_links){first, last + 1 - first, 0, 0};
            first = last + 1;
        }
        links[i].children = count - links[i].child;
    }
    return count;
}

static void sum_nodes(const struct tree_body *bodies, const struct tree *tree) {
    for (int i = *tree->nodes - 1; i >= 0; i--) {
        const struct tree_links *links = &tree->links[i];
        double sums[4] = {0};

        for (int k = 0; k < (links->children ? links->children : links->count); k++) {
            const struct tree_body *part = links->children ? &tree->centres[links->child + k]
                                                           : &bodies[tree->order[links->first + k]];

            for (int c = 0; c < 3; c++)
                sums[c] += (double)part->mass * tree_coordinate(part, c);
            sums[3] += part->mass;
        }
        tree->centres[i] =
            (struct tree_body){(float)(sums[0] / sums[3]), (float)(sums[1] / sums[3]),
                               (float)(sums[2] / sums[3]), (float)sums[3]};
    }
}

/* Of each node from all its bodies. */
static void set_moments(const struct tree_body *bodies, const struct tree *tree) {
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < *tree->nodes; i++) {
        const int *own = tree->order + tree->links[i].first;
        double mass = 0, centre[3] = {0}, second[3][3] = {{0}};

        for (int k = 0; k < tree->links[i].count; k++) {
            mass += bodies[own[k]].mass;
            for (int c = 0; c < 3; c++)
                centre[c] += (double)bodies[own[k]].mass * tree_coordinate(&bodies[own[k]], c);
        }
        for (int k = 0; k < tree->links[i].count; k++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    second[a][b] += bodies[own[k]].mass *
                                    (tree_coordinate(&bodies[own[k]], a) - centre[a] / mass) *
                                    (tree_coordinate(&bodies[own[k]], b) - centre[b] / mass);
        tree->moments[i] =
            (struct tree_moments){(float)second[0][0], (float)second[1][1], (float)second[2][2],
                                  (float)second[0][1], (float)second[0][2], (float)second[1][2]};
    }
}

static void set_cells(const struct tree_cube *cube, const struct tree_body *bodies,
                      const uint64_t *keys, const struct tree *tree) {
    for (int i = 0; i < *tree->nodes; i++) {
        const struct tree_links *links = &tree->links[i];
        int level = level_of(keys, links);
        double centre[3], side = ldexp(cube->side, -level);

        for (int c = 0; c < 3; c++) {
            float at = tree_coordinate(&bodies[tree->order[links->first]], c);

            centre[c] = cube->corner[c] +
                        ((tree_cell_number(cube, c, at) >> (TREE_LEVELS - level)) + 0.5) * side;
        }
        tree->cells[i] = (struct tree_cell){(float)centre[0], (float)centre[1], (float)centre[2],
                                            (float)(side / 2)};
    }
}

int tree_build(const struct tree_parameters *parameters, const struct tree_body *input, int builds,
               const struct tree *tree) {
    size_t n = (size_t)parameters->n;
    const struct radix_sort_parameters pairs = {parameters->n, 8, UNSIGNED_KEYS, 1};
    struct tree_body *bodies = malloc(n * sizeof *bodies + 1);
    uint64_t *keys = malloc(n * (sizeof *keys + sizeof(int)) + 1);
    uint64_t *sorted = malloc(n * (sizeof *keys + sizeof(int)) + 1);
    struct tree_links *links = malloc(2 * n * sizeof *links + sizeof *links);
    int nodes = 0, moved = bodies && keys && sorted && links ? 0 : -1;

    if (moved == 0 && n > 0)
        memcpy(bodies, input, n * sizeof *bodies);
    for (int b = 0; b < builds && moved >= 0 && n > 0; b++) {
        int *numbers = (int *)(keys + n);
        struct tree_cube cube;

        if (b > 0) {
            moved = nodes % parameters->n;
            bodies[0] = input[moved];
            bodies[0].mass = input[0].mass;
        }
        cube = tree_cube_of(bodies, parameters->n);
#pragma omp parallel for if (parameters->n >= WORTH_THREADS)
        for (int i = 0; i < parameters->n; i++) {
            keys[i] = key_of(&cube, &bodies[i]);
            numbers[i] = i;
        }
        if (sort_fast(&pairs, keys, sorted, 1)) {
            moved = -1;
            break;
        }
        nodes = link_nodes(parameters, sorted, links);
        if (tree && b == builds - 1) {
            memcpy(tree->order, sorted + n, n * sizeof *tree->order);
            memcpy(tree->links, links, (size_t)nodes * sizeof *links);
            *tree->nodes = nodes;
            sum_nodes(bodies, tree);
            if (tree->moments)
                set_moments(bodies, tree);
            set_cells(&cube, bodies, sorted, tree);
        }
    }
    if (tree && n == 0)
        *tree->nodes = 0;
    free(links);
    free(sorted);
    free(keys);
    free(bodies);
    return moved;
}
