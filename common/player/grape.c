/* Adapter: a backend of the GRAPE-6's interface as a player's step. */
#include <stdlib.h>
#include <string.h>

#include "protocol/grape_layout.h"
#include "protocol/player.h"

const char step_problem[] = "grape";

static const struct grape_parameters *parameters;
static const void *input;
static void *output, *state;
static struct i_body *asking;
static struct neighbours *lists;

int step_create(const void *of_run, const void *in, void *out) {
    parameters = of_run;
    input = in;
    output = out;
    asking = calloc((size_t)parameters->asking, sizeof *asking);
    lists = calloc((size_t)parameters->asking, sizeof *lists);
    state = grape_gpu.open();
    return asking && lists && state ? 0 : 1;
}

static int call(void) {
    const struct written_body *written = grape_written(parameters, input);
    int code = 0;

    for (int k = 0; k < parameters->written && !code; k++)
        code = grape_gpu.write(state, written[k].address, &written[k].body);
    return code || grape_gpu.predict(state, parameters->ti, parameters->bodies) ||
           grape_gpu.sum(state, asking, parameters->asking, WANTS_JERK | WANTS_NEAREST, output) ||
           grape_gpu.find(state, asking, parameters->asking, lists);
}

static void store_lists(void) {
    int *counts = grape_counts(parameters, output), *indices = grape_lists(parameters, output);

    for (int i = 0; i < parameters->asking; i++) {
        int count = lists[i].count < MOST_LISTED ? lists[i].count : MOST_LISTED;

        counts[i] = lists[i].count;
        if (count > 0)
            memcpy(indices + (size_t)i * MOST_LISTED, lists[i].index,
                   (size_t)count * sizeof *indices);
    }
}

int step_run(int iterations) {
    const struct j_body *bodies = input;
    int code = 0;

    memcpy(asking, grape_asking(parameters, input), (size_t)parameters->asking * sizeof *asking);
    for (int i = 0; i < parameters->asking; i++)
        asking[i].eps2 = parameters->softening * parameters->softening;
    for (int j = 0; j < parameters->bodies && !code; j++)
        code = grape_gpu.write(state, j, &bodies[j]);
    for (int iteration = 0; iteration < iterations && !code; iteration++)
        code = call();
    store_lists();
    return code;
}

void step_destroy(void) {
    for (int i = 0; i < parameters->asking; i++)
        free(lists[i].index);
    free(lists);
    free(asking);
    grape_gpu.close(state);
}

void step_enqueue(int repeats) {
    (void)repeats;
}
