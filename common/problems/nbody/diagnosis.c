#include "nbody_problem.h"
#include "problems/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_IMITATED = 4096 };

/* What the wrong bodies have in common. */
struct pattern {
    int n, iterations;
    int wrong, first, last;
    int hold_positions, hold_velocities; /* bodies that have the very bits of the input */
    int zeros;                           /* bodies of six zeros */
    /* How far positions and velocities went, (got - in).(right - in) / |right - in|^2: medians over
     * bodies, and quartiles. */
    double moved, moved_low, kicked, kicked_low, kicked_high;
    int state_after; /* iterations after which this is the state; 0: none */
};

static double projection(const double got[3], const double right[3]) {
    double square = right[0] * right[0] + right[1] * right[1] + right[2] * right[2];
    double product = got[0] * right[0] + got[1] * right[1] + got[2] * right[2];
    return square > 0 ? product / square : 1.0;
}

static int find_pattern(const struct body *in, const struct answer *answer, const struct body *out,
                        const unsigned char *is_wrong, struct pattern *pattern) {
    const struct oracle *right = &answer->oracle;
    double *moved = malloc((size_t)right->n * 2 * sizeof *moved);
    if (!moved)
        return 0;
    double *kicked = moved + right->n;
    *pattern = (struct pattern){.n = right->n, .iterations = answer->iterations};
    for (int i = 0; i < right->n; i++) {
        if (!is_wrong[i])
            continue;
        const struct body *a = &in[i], *b = &out[i];
        pattern->hold_positions += a->x == b->x && a->y == b->y && a->z == b->z;
        pattern->hold_velocities += a->vx == b->vx && a->vy == b->vy && a->vz == b->vz;
        pattern->zeros += !b->x && !b->y && !b->z && !b->vx && !b->vy && !b->vz;
        moved[pattern->wrong] =
            projection((double[]){(double)b->x - a->x, (double)b->y - a->y, (double)b->z - a->z},
                       (double[]){right->x[i] - a->x, right->y[i] - a->y, right->z[i] - a->z});
        kicked[pattern->wrong] = projection(
            (double[]){(double)b->vx - a->vx, (double)b->vy - a->vy, (double)b->vz - a->vz},
            (double[]){right->vx[i] - a->vx, right->vy[i] - a->vy, right->vz[i] - a->vz});
        if (!pattern->wrong++)
            pattern->first = i;
        pattern->last = i;
    }
    if (pattern->wrong) {
        pattern->moved = percentile_of(moved, pattern->wrong, 0.5);
        pattern->moved_low = percentile_of(moved, pattern->wrong, 0.25);
        pattern->kicked = percentile_of(kicked, pattern->wrong, 0.5);
        pattern->kicked_low = percentile_of(kicked, pattern->wrong, 0.25);
        pattern->kicked_high = percentile_of(kicked, pattern->wrong, 0.75);
    }
    free(moved);
    return pattern->wrong > 0;
}

/* Relative; medians of honest sums with changed positions stay well inside. */
static int near(double value, double target) {
    return fabs(value - target) <= 0.1 * fabs(target);
}

/* Whether half of the bodies were kicked so far: a factor, not chance. */
static int kicked_by(const struct pattern *p, double factor) {
    return near(p->kicked_low, factor) && near(p->kicked_high, factor);
}

/* What happened to the wrong bodies, told from how far they went; 0 if nothing fits. */
static int say_motion(const struct pattern *p, char *text, size_t size) {
    int its = p->iterations;
    if (p->hold_positions == p->wrong && p->hold_velocities == p->wrong)
        snprintf(text, size, "they hold their input: never computed, or never copied to `out`");
    else if (p->zeros == p->wrong)
        snprintf(text, size,
                 "all their numbers are 0: is memory set to 0 after it was written, or copied from "
                 "where nothing was written?");
    else if (p->hold_velocities == p->wrong && fabs(p->kicked) < 1e-6)
        snprintf(
            text, size,
            "their velocities hold the input while positions moved: is v += dt F missing, or v "
            "not copied to `out`?");
    else if (p->hold_positions == p->wrong)
        snprintf(
            text, size,
            "their positions hold the input while velocities changed: is x += dt v missing, or "
            "x not copied to `out`?");
    else if (p->state_after)
        snprintf(text, size, "this is the state after %d iteration%s, and %d were asked for",
                 p->state_after, p->state_after > 1 ? "s" : "", its);
    else if (its > 1 && kicked_by(p, 1.0 / its))
        snprintf(text, size, "forces act in only one of the %d iterations", its);
    else if (its > 1 && kicked_by(p, (its + 1) / 2.0))
        snprintf(text, size,
                 "velocities change %.1f times as far as they should: are the sums of force set to "
                 "zero in every iteration?",
                 p->kicked);
    else
        return 0;
    return 1;
}

/* The same where many faults would do; asked last. Where threads disturb each other, bodies move by
 * different factors, but hardly one moves less than it should. */
static void say_factor(const struct pattern *p, char *text, size_t size) {
    if (p->wrong < 0.9 * p->n)
        return;
    if (p->moved > 1.5 && p->moved_low > 1)
        snprintf(text, size,
                 "positions moved %.1f times as far as they should: did the position loop run more "
                 "than once, such as once in each thread?",
                 p->moved);
    else if (p->kicked > 1.5 && kicked_by(p, round(p->kicked)))
        snprintf(
            text, size,
            "velocities change %.1f times as far as they should: did the velocity loop run more "
            "than once, such as once in each thread?",
            p->kicked);
}

/* Which bodies are wrong, if that tells something; 0 if not. */
static int say_place(const struct pattern *p, char *text, size_t size) {
    static const int blocks[] = {256, 1024, 512, 128, 64, 32, 16, 8, 4, 2};
    int in_a_row = p->wrong == p->last - p->first + 1;
    if (p->wrong == 1 && p->n > 1 && p->last == p->n - 1) {
        snprintf(text, size, "it is the last body: does a loop or a copy end at n - 1?");
        return 1;
    }
    if (!in_a_row || p->wrong == p->n || p->wrong < 2)
        return 0;
    if (p->last < p->n - 1) {
        snprintf(text, size, "only bodies %d to %d are off", p->first, p->last);
        return 1;
    }
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        if (p->first == p->n - p->n % blocks[b]) {
            snprintf(
                text, size,
                "only the last n mod %d = %d bodies are off: does a loop or the grid end at the "
                "last full block?",
                blocks[b], p->wrong);
            return 1;
        }
    }
    snprintf(text, size, "every body from %d on is off: does a loop or a copy stop there?",
             p->first);
    return 1;
}

/* Whether only the last body was left out, and the others are off because they are close to it: an
 * iteration later what was left out there shows in their forces. */
static int last_body_is_left_out(const struct pattern *p, const struct body *in,
                                 const struct body *out) {
    const struct body *a = &in[p->n - 1], *b = &out[p->n - 1];
    return p->wrong > 1 && p->wrong <= 1 + p->n / 100 && p->last == p->n - 1 &&
           ((p->hold_positions == 1 && a->x == b->x && a->y == b->y && a->z == b->z) ||
            (p->hold_velocities == 1 && a->vx == b->vx && a->vy == b->vy && a->vz == b->vz));
}

void nbody_diagnose(const struct parameters *parameters, const struct body *in,
                    const struct answer *answer, const struct body *out,
                    const unsigned char *is_wrong, char *text, size_t size) {
    struct pattern pattern;
    *text = 0;
    if (!find_pattern(in, answer, out, is_wrong, &pattern))
        return;
    if (last_body_is_left_out(&pattern, in, out)) {
        unsigned char *last = calloc((size_t)pattern.n, 1);
        if (last) {
            last[pattern.n - 1] = 1;
            find_pattern(in, answer, out, last, &pattern);
        }
        free(last);
    }
    double whole = round(pattern.moved * answer->iterations);
    if (whole >= 1 && whole < 100 && whole != answer->iterations &&
        nbody_is_state_after(parameters, in, answer->masses, out, (int)whole))
        pattern.state_after = (int)whole;
    if (say_place(&pattern, text, size)) {
        char motion[200];
        if (say_motion(&pattern, motion, sizeof motion))
            text_add(text, size, "; %s", motion);
        return;
    }
    if (say_motion(&pattern, text, size))
        return;
    /* An imitation is compared by its median body, and each computes all forces anew: at a large
     * size that would take longer than the check. What they imitate shows at small ones too. */
    const char *fault = NULL;
    if (pattern.n <= LARGEST_IMITATED && pattern.wrong >= pattern.n / 100)
        fault = nbody_imitated_fault(parameters, in, answer, out);
    if (fault)
        snprintf(text, size, "%s", fault);
    else
        say_factor(&pattern, text, size);
}
