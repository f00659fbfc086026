#include "machine_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned bits(const struct instruction *i, int from, int count) {
    unsigned __int128 all = (unsigned __int128)i->high << 64 | i->low;

    return (unsigned)(all >> from) & ((1u << count) - 1);
}

static const struct {
    enum sass_pipe pipe;
    enum sass_memory memory;
    enum sass_access access;
} kinds[512] = {
#define COMPUTE(name, bits, pipe)          [bits] = {PIPE_##pipe, MEMORY_NONE, ACCESS_NONE},
#define ACCESS(name, bits, memory, access) [bits] = {PIPE_LSU, MEMORY_##memory, ACCESS_##access},
    SASS_COMPUTES(COMPUTE) SASS_ACCESSES(ACCESS)
#undef COMPUTE
#undef ACCESS
};

void instruction_decode(struct instruction *i) {
    i->operation = bits(i, 0, 9);
    i->pipe = kinds[i->operation].pipe;
    i->memory = kinds[i->operation].memory;
    i->access = kinds[i->operation].access;
    i->stall = (int)bits(i, 105, 4);
    i->sets = (int)bits(i, 110, 3);
    i->frees = (int)bits(i, 113, 3);
    i->waits = (int)bits(i, 116, 6);
    i->of = (int)bits(i, 44, 3);
    i->prior = (int)bits(i, 38, 6);
}

/* Registers at the three places of an operand; 255 where there is none. */
static void sources(const struct instruction *i, unsigned registers[3]) {
    unsigned form = bits(i, 9, 3), operation = i->operation;
    int field = form == 1 || form == 0;
    int two = operation == SASS_FMUL || operation == SASS_FADD || operation == SASS_HADD2 ||
              operation == SASS_HMUL2;

    registers[0] = bits(i, 24, 8);
    registers[1] = field ? bits(i, 32, 8) : 255;
    registers[2] = two && field ? 255 : bits(i, 64, 8);
}

/* Three operands of one bank take a cycle more: there are two banks, even and odd, and each gives
 * two registers in a cycle (Jia et al. 2018, section 3.2). An operand that the instruction before
 * left in the reuse cache needs no bank. */
static void find_conflicts(struct kernel *kernel) {
    int k, s;

    for (k = 0; k < kernel->code_count; k++) {
        struct instruction *i = &kernel->code[k];
        struct instruction *before = k ? &kernel->code[k - 1] : NULL;
        unsigned own[3], others[3] = {255, 255, 255}, parity[2] = {0, 0};

        if (i->pipe != PIPE_FMA && i->pipe != PIPE_HALF && i->pipe != PIPE_HEAVY)
            continue;
        sources(i, own);
        if (before)
            sources(before, others);
        for (s = 0; s < 3; s++) {
            int reused = before && bits(before, 122 + s, 1) && others[s] == own[s];
            int seen = (s > 0 && own[s] == own[0]) || (s > 1 && own[s] == own[1]);

            if (own[s] != 255 && !reused && !seen)
                parity[own[s] % 2]++;
        }
        i->conflict = parity[0] > 2 || parity[1] > 2;
    }
}

static void *grown(void *list, int count, size_t size) {
    void *bigger = list;

    if (!(count & (count - 1)))
        bigger = realloc(list, (size_t)(count ? 2 * count : 1) * size);
    if (!bigger)
        abort();
    return bigger;
}

static void read_path(struct path *path, char *line) {
    char *word, *rest = line;

    while ((word = strtok_r(rest, " \n", &rest))) {
        struct path_item item = {0};
        int repeat = *word == 'r';

        if (repeat ? sscanf(word, "r%d*%" SCNu32, &item.count, &item.times) != 2
                   : sscanf(word, "%d+%d", &item.first, &item.count) != 2)
            continue;
        path->items = grown(path->items, path->count, sizeof item);
        path->items[path->count++] = item;
    }
}

int machine_code_read(struct machine_code *code, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    struct kernel *kernel = NULL;
    int k;

    memset(code, 0, sizeof *code);
    if (!file)
        return -1;
    while (getline(&line, &room, file) > 0) {
        struct instruction i = {0};
        int at;

        if (sscanf(line, "sass %*d %d", &code->devices) == 1 ||
            sscanf(line, "copies %lf %lf %lf %lf %lf %lf %lf %lf %lf", &code->copies_in,
                   &code->bytes_in, &code->pinned_in, &code->copies_out, &code->bytes_out,
                   &code->pinned_out, &code->launches, &code->fills, &code->by_graphs) == 9)
            continue;
        if (!strncmp(line, "kernel ", 7)) {
            code->kernels = grown(code->kernels, code->count, sizeof *code->kernels);
            kernel = &code->kernels[code->count++];
            memset(kernel, 0, sizeof *kernel);
            if (sscanf(line, "kernel %511s %lf %d %lf %lf %lf %d %lf %lf %lf %lf", kernel->name,
                       &kernel->blocks, &kernel->threads, &kernel->executed, &kernel->static_bytes,
                       &kernel->dynamic_bytes, &kernel->registers, &kernel->launches,
                       &kernel->loaded, &kernel->stored, &kernel->rewritten) != 11)
                break;
        } else if (kernel && sscanf(line, "i %d %" SCNx64 " %" SCNx64 " %lf %*f %lf %lf %lf %lf %d",
                                    &at, &i.low, &i.high, &i.issued, &i.sectors, &i.hits, &i.shared,
                                    &i.wavefronts, &i.contended) == 9) {
            instruction_decode(&i);
            while (kernel->code_count <= at) {
                kernel->code = grown(kernel->code, kernel->code_count, sizeof i);
                memset(&kernel->code[kernel->code_count++], 0, sizeof i);
            }
            kernel->code[at] = i;
        } else if (kernel && *line == 'w') {
            struct path made = {0};

            read_path(&made, line + 1);
            kernel->paths = grown(kernel->paths, kernel->path_count, sizeof made);
            kernel->paths[kernel->path_count++] = made;
        }
    }
    free(line);
    fclose(file);
    for (k = 0; k < code->count; k++)
        find_conflicts(&code->kernels[k]);
    return code->count ? 0 : -1;
}

void machine_code_free(struct machine_code *code) {
    int k, w;

    for (k = 0; k < code->count; k++) {
        for (w = 0; w < code->kernels[k].path_count; w++)
            free(code->kernels[k].paths[w].items);
        free(code->kernels[k].paths);
        free(code->kernels[k].code);
    }
    free(code->kernels);
    memset(code, 0, sizeof *code);
}
