/* Programs that are right in the first run of an object, after some numbers of iterations, or with
 * the usual parameters, and wrong otherwise: each is rejected, at every seed, and told apart. Step
 * 01 stands for all steps: what tells them apart is the referee's. */
#include "testing.h"
#include "edited.h"

enum { MOST_EDITS = 3, SEEDS = 3 };

#define KICK   "        update_velocities(bodies, parameters);"
#define SOFTEN "+ dz * dz + softening;"
#define COPY   "    memcpy(bodies, simulation->in, (size_t)parameters->n * sizeof *bodies);"
#define MADE   "        *simulation = (struct simulation){*parameters, in, out};"

TEST(what_is_right_is_told) {
    static const struct {
        struct edit edits[MOST_EDITS + 1];
        enum outcome outcome;
        const char *phrase;
        int seeds;         /* 0: SEEDS */
        const char *lacks; /* NULL: nothing */
    } programs_[] = {
        /* Iterations. */
        {{{KICK, ""}}, OUTCOME_WRONG, ": after 1 iteration: "},
        {{{KICK, "if (iteration < 2)" KICK}},
         OUTCOME_WRONG,
         "right after 1 and 2 iterations, wrong after 3, 4 and 5: what is done only in the first "
         "2?"},
        {{{KICK, "if (iteration < 1)" KICK}},
         OUTCOME_WRONG,
         "right after 1 iteration, wrong after 2, 3, 4 and 5"},
        {{{KICK, "if (iteration % 2 || iteration + 1 < iterations)" KICK}},
         OUTCOME_WRONG,
         "right after 2 and 4 iterations, wrong after 1, 3 and 5: which of two buffers"},
        /* Parameters. */
        {{{SOFTEN, "+ dz * dz + 1e-9f; (void)softening;"}},
         OUTCOME_WRONG,
         "right with softening 1e-09, wrong with 0."},
        {{{SOFTEN, "+ dz * dz + 0.05f; (void)softening;"}},
         OUTCOME_WRONG,
         "the result is the same with softening 0.9 and 1e-09",
         1},
        {{{SOFTEN, "+ dz * dz + 2 * softening;"}},
         OUTCOME_WRONG,
         "was asked for: is it used twice?",
         1},
        {{{SOFTEN, "+ dz * dz + 3 * softening;"}},
         OUTCOME_WRONG,
         "was asked for: is it used three times?",
         1},
        {{{SOFTEN, "+ dz * dz + softening / 2;"}},
         OUTCOME_WRONG,
         "was asked for: is it halved?",
         1},
        {{{SOFTEN, "+ dz * dz + softening * softening;"}},
         OUTCOME_WRONG,
         "was asked for: is it squared?",
         1},
        {{{SOFTEN, "+ dz * dz + sqrtf(softening);"}},
         OUTCOME_WRONG,
         "was asked for: is it its root?",
         1},
        {{{SOFTEN, "+ dz * dz; (void)softening; if (distance_squared == 0) continue;"}},
         OUTCOME_WRONG,
         "right with softening 1e-09, wrong with 0.",
         1},
        {{{"float dt = parameters->dt, softening", "float dt = 0.01f, softening"},
          {"float dt = parameters->dt;", "float dt = 0.01f;"}},
         OUTCOME_WRONG,
         "right with dt 0.01, wrong with 0.0"},
        {{{"float dt = parameters->dt, softening", "float dt = 0.002f, softening"},
          {"float dt = parameters->dt;", "float dt = 0.002f;"}},
         OUTCOME_WRONG,
         "the result is the same with dt 0.02 and 0.01",
         1},
        {{{"float dt = parameters->dt, softening", "float dt = 2 * parameters->dt, softening"},
          {"float dt = parameters->dt;", "float dt = 2 * parameters->dt;"}},
         OUTCOME_WRONG,
         "the result is that of dt 0.",
         1},
        {{{"float dt = parameters->dt, softening", "float dt = 0.01f, softening"},
          {"float dt = parameters->dt;", "float dt = 0.01f;"},
          {SOFTEN, "+ dz * dz + 1e-9f; (void)softening;"}},
         OUTCOME_WRONG,
         "right with dt 0.01 and softening 1e-09, wrong with 0.",
         1},
        /* What returns its input is not asked about a parameter. */
        {{{COPY, COPY "\n    return 0;"}},
         OUTCOME_WRONG,
         "never computed, or never copied to `out`; also at n",
         1},
        {{{"    return 0;\n}", "    memset(simulation->out, 0, (size_t)simulation->parameters.n * "
                               "sizeof(struct body));\n    return 0;\n}"}},
         OUTCOME_WRONG,
         "copied from where nothing was written?; also at n",
         1},
        /* Two bodies are at one place. */
        {{{SOFTEN, "+ dz * dz; (void)softening; if (i == j) continue;"}}, OUTCOME_NOT_FINITE, ""},
        /* What is kept from one run, or object, to the next. */
        {{{"    return 0;\n}", "    simulation->parameters.softening *= 2;\n    return 0;\n}"}},
         OUTCOME_WRONG,
         "right in the first run of an object, wrong in the second"},
        {{{COPY, "    static struct body kept[1 << 15]; static int kept_n;\n"
                 "    int last = parameters->n - 1;\n"
                 "    if (kept_n != last + 1 || memcmp(kept, simulation->in, sizeof *kept) ||\n"
                 "        memcmp(kept + last, simulation->in + last, sizeof *kept))\n"
                 "        memcpy(kept, simulation->in, sizeof *kept * (size_t)(last + 1));\n"
                 "    kept_n = last + 1;\n"
                 "    memcpy(bodies, kept, sizeof *kept * (size_t)kept_n);"}},
         OUTCOME_WRONG,
         "by its size or by its first and last element?"},
        {{{MADE,
           "    {\n        static struct parameters kept[1 << 15];\n"
           "        if (!kept[parameters->n].n)\n"
           "            kept[parameters->n] = *parameters;\n"
           "        *simulation = (struct simulation){kept[parameters->n], in, out};\n    }"}},
         OUTCOME_WRONG,
         "right as the only object of its process"},
        {{{"    return 0;\n}", "    free(simulation->kept);\n    return 0;\n}"},
          {"    struct body *out;\n};", "    struct body *out;\n    void *kept;\n};"},
          {"{*parameters, in, out}", "{*parameters, in, out, malloc(8)}"}},
         OUTCOME_CRASHED,
         "this was in the object's second run, and the first was right"},
        {{{"    free(simulation);", "    free(simulation);\n    abort();"}},
         OUTCOME_CRASHED,
         "signal 6 (Aborted)",
         1,
         "second run"}, /* it was in destroy */
        {{{COPY, COPY "\n    ((struct body *)simulation->in)[0].x = 0;"}},
         OUTCOME_MEMORY,
         "wrote to the input, 0 bytes from the beginning of `in`"},
        /* The right one. */
        {{{NULL}}, OUTCOME_ACCEPTED, ""},
    };
    static struct programs programs;
    static struct check check;

    for (size_t p = 0; p < sizeof programs_ / sizeof *programs_; p++)
        for (uint64_t seed = 1; seed <= (uint64_t)(programs_[p].seeds ? programs_[p].seeds : SEEDS);
             seed++) {
            const struct options options = {
                .file = edited("solutions/01_serial/nbody.c", programs_[p].edits),
                .variant = "gcc_O2",
                .seed = seed};
            const struct step *step = catalogue_find(&catalogue, "01_serial");

            assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
            assert_int_equal(check_step(&programs, &options, &check), 0);
            if (check.outcome != programs_[p].outcome ||
                !strstr(check.verdicts[0].message, programs_[p].phrase) ||
                (programs_[p].lacks && strstr(check.verdicts[0].message, programs_[p].lacks)))
                fail_msg("program %zu, seed %d: outcome %d, \"%s\"", p, (int)seed, check.outcome,
                         check.verdicts[0].message);
        }
}

/* What has no effect on the right answer is no cause: spheres have no disk. */
TEST(a_parameter_without_effect_is_not_named) {
    static const struct edit edits[] = {{"speed = s / SPEEDS * sqrt", "speed = s * sqrt"}, {NULL}};
    const struct options options = {.file = edited("solutions/44_galaxy/galaxy.c", edits),
                                    .variant = "fine",
                                    .distribution = "spheres",
                                    .n = 300,
                                    .seed = 3};
    static struct programs programs;
    static struct check check;

    assert_int_equal(
        programs_choose(&programs, catalogue_find(&catalogue, "44_galaxy"), &options, 0), 0);
    assert_int_equal(check_step(&programs, &options, &check), 0);
    assert_int_equal(check.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(check.verdicts[0].message, "times as fast"));
    assert_null(strstr(check.verdicts[0].message, "thickness"));
}

GROUP(read_catalogue, NULL)
