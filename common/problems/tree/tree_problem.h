/* The parts of the problem `tree`, as they see each other. */
#ifndef TREE_PROBLEM_H
#define TREE_PROBLEM_H

#include <stdint.h>

#include "problems/technique.h"
#include "protocol/tree_layout.h"

extern const struct problem tree_problem;

/* inputs.c */
extern const char *const tree_distributions[];
size_t tree_input_bytes(const char *distribution, int n);
void tree_sharpen(void *input, const void *before, const char *distribution, int n);
void tree_generate(void *input, const char *distribution, int n, uint64_t seed);

/* The cube of all bodies, and numbers of its finest cells. */
struct tree_cube {
    double corner[3], side;
};
struct tree_cube tree_cube_of(const struct tree_body *bodies, int n);

/* Coordinate c of a place, 0 to 2. */
static inline float tree_coordinate(const struct tree_body *body, int c) {
    return c == 0 ? body->x : c == 1 ? body->y : body->z;
}

/* The cell of level TREE_LEVELS that has the coordinate, counted along axis c. */
static inline uint32_t tree_cell_number(const struct tree_cube *cube, int c, float coordinate) {
    double finest = 1 << TREE_LEVELS;

    return (uint32_t)(((double)coordinate - cube->corner[c]) * (finest / cube->side));
}

/* Which body's place body 0 has in the last of so many builds, and, if `tree` is not NULL, that
 * build's tree, node by node from the root on. -1 if memory is short. */
int tree_build(const struct tree_parameters *parameters, const struct tree_body *input, int builds,
               const struct tree *tree);

/* Whether the tree is that of the input, but that body 0 has the place of body `moved`. */
void tree_judge_one(const struct tree_parameters *parameters, const struct tree_body *input,
                    int moved, const struct tree *got, double tolerance,
                    struct judgement *judgement);

/* techniques.c */
extern const struct technique *const tree_techniques[];

#endif
