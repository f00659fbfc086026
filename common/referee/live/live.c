#define _GNU_SOURCE
#include "live.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "door.h"
#include "energy.h"
#include "picture.h"
#include "problems/text.h"
#include "referee/base/clock.h"
#include "referee/play/player_process.h"

#include <stdarg.h>
enum { MOST_STRIDE = 100, TEXT_BYTES = 4096 };

/* Between pictures, and between texts to viewers, in seconds; and how long a turn may take that a
 * viewer asks for, since nobody can interrupt it. */
static const double picture_time = 1.0 / 60, text_time = 0.25, longest_turn = 20;

struct live {
    struct moving moving;
    const struct server_functions *serve;
    struct server *server;
    struct painter *painter;
    struct energy_thread *energy;
    const char *step;

    double softening; /* what a viewer wants instead of the scene's; negative: nothing */
    int stride;       /* iterations from picture to picture */
    int is_paused, is_unpaced, single_steps;

    double time, iterations; /* from where the scene begins */
    double next_move, next_picture, next_text;
    int is_painted; /* a picture of what is now is being painted, or is there */
    double best_rate;
    double work, seconds; /* since the last text */
    double rate;          /* units of work per second of the program, at the last text */
    char complaint[256];  /* on the last order; empty: it was obeyed */
};

static const struct varied *softening_of(const struct live *live) {
    const struct varied *one = live->moving.problem->varied;

    while (strcmp(one->name, "softening"))
        one++;
    return one;
}

/* A length. */
static double softening(const struct live *live) {
    double value = varied_value(softening_of(live), live->moving.parameters);

    return live->moving.problem->motion->softening_is_squared ? sqrt(value) : value;
}

static void set_softening(struct live *live) {
    int is_squared = live->moving.problem->motion->softening_is_squared;

    if (live->softening >= 0)
        varied_set(softening_of(live), live->moving.parameters,
                   is_squared ? live->softening * live->softening : live->softening);
}

/* What a viewer knows beside the picture: lines of a name, a tab and a value. */
static void say(struct live *live, const char *failure) {
    const struct moving *moving = &live->moving;
    const struct problem *problem = moving->problem;
    struct energy energy = energy_last(live->energy);
    char text[TEXT_BYTES] = "";

    if (live->seconds > 0)
        live->rate = live->work / live->seconds;
    live->best_rate = fmax(live->best_rate, live->rate);
    live->work = live->seconds = 0;
    text_add(text, sizeof text, "step\t%s\nmover\t%s\nelement\t%s\nunit\t%s\nscene\t%s\nscenes\t",
             live->step, moving->mover, problem->element, problem->unit,
             moving->scene.distribution);
    for (const struct scene *scene = problem->motion->scenes; scene->distribution; scene++)
        text_add(text, sizeof text, "%s%s", scene->distribution, scene[1].distribution ? " " : "");
    text_add(text, sizeof text,
             "\nn\t%d\ndt\t%.6g\nsoftening\t%.6g\nstride\t%d\npaused\t%d\nunpaced\t%d\n"
             "time\t%.9g\niterations\t%.0f\nrate\t%.6g\n",
             moving->scene.n, moving->scene.dt, softening(live), live->stride, live->is_paused,
             live->is_unpaced, live->time, live->iterations, live->rate);
    if (energy.known)
        text_add(text, sizeof text,
                 "kinetic\t%.9g\npotential\t%.9g\nenergy_time\t%.6g\nfirst_energy\t%.9g\n",
                 energy.kinetic, energy.potential, energy.time, energy.first);
    text_add(text, sizeof text, "most_summed\t%d\ncomplaint\t%s\n", MOST_SUMMED, live->complaint);
    if (failure)
        text_add(text, sizeof text, "failure\t%s\n", failure);
    live->serve->say(live->server, text);
    live->next_text = clock_now() + text_time;
}

/* After a change: what is now is to be seen, and another energy. */
static void renew(struct live *live) {
    live->is_painted = 0;
    live->next_move = live->next_picture = live->next_text = 0;
    live->work = live->seconds = 0;
    energy_forget(live->energy);
}

static enum outcome begin_again(struct live *live) {
    enum outcome outcome = moving_again(&live->moving);

    live->time = live->iterations = 0;
    renew(live);
    if (outcome || live->softening < 0)
        return outcome;
    set_softening(live);
    return moving_set(&live->moving);
}

/* The same bodies go on with the scene's dt and the softening that were asked for. */
static enum outcome go_on(struct live *live) {
    struct moving *moving = &live->moving;

    moving->problem->motion->set_parameters(moving->parameters, moving->scene.distribution,
                                            moving->scene.n, moving->scene.dt);
    set_softening(live);
    renew(live);
    return moving_set(moving);
}

__attribute__((format(printf, 2, 3))) static enum outcome refuse(struct live *live,
                                                                 const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(live->complaint, sizeof live->complaint, format, arguments);
    va_end(arguments);
    return OUTCOME_ACCEPTED;
}

/* Seconds of a turn, at the best rate so far: of few bodies none is good. */
static double turn_seconds(const struct live *live, int n, int stride) {
    const struct problem *problem = live->moving.problem;

    return stride * problem->work(live->moving.scene.distribution, n) /
           fmax(live->best_rate, problem->slowest_rate);
}

static enum outcome change_stride(struct live *live, double stride) {
    double seconds = turn_seconds(live, live->moving.scene.n, (int)stride);

    if (seconds > longest_turn)
        return refuse(live, "stride = %.0f: a picture would take about %.0f s; fewer are needed",
                      stride, seconds);
    live->stride = (int)stride;
    return OUTCOME_ACCEPTED;
}

static enum outcome change_n(struct live *live, double n) {
    const struct problem *problem = live->moving.problem;
    double seconds;

    if (!(n >= 1 && n <= problem->largest) || n != floor(n))
        return refuse(live, "n = %.9g: a whole number from 1 to %d is needed", n, problem->largest);
    seconds = turn_seconds(live, (int)n, live->stride);
    if (seconds > longest_turn)
        return refuse(live, "n = %.0f: a picture would take about %.0f s; fewer are needed", n,
                      seconds);
    live->moving.scene.n = (int)n;
    return begin_again(live);
}

static enum outcome change_scene(struct live *live, const char *name) {
    const struct problem *problem = live->moving.problem;
    const struct scene *scene = problem->motion->scenes;

    while (scene->distribution && strcmp(scene->distribution, name))
        scene++;
    if (!scene->distribution)
        return refuse(live, "%s: there is no such scene", name);
    live->moving.scene = *scene;
    if (live->moving.on_cpucuda && scene->n > problem->sizes->small)
        live->moving.scene.n = problem->sizes->small;
    live->softening = -1;
    return begin_again(live);
}

/* An order is a word, and for some a value behind it. */
static enum outcome obey(struct live *live, const char *order) {
    char word[ORDER_BYTES] = "", text[ORDER_BYTES] = "", *end;
    double value;

    sscanf(order, "%63s %63s", word, text);
    value = strtod(text, &end);
    live->complaint[0] = 0;
    live->next_text = 0;
    if (!strcmp(word, "pause"))
        live->is_paused = value != 0, live->single_steps = 0;
    else if (!strcmp(word, "unpaced"))
        live->is_unpaced = value != 0;
    else if (!strcmp(word, "step"))
        live->is_paused = 1, live->single_steps++;
    else if (!strcmp(word, "again"))
        return begin_again(live);
    else if (!strcmp(word, "scene"))
        return change_scene(live, text);
    else if (*end || end == text)
        return refuse(live, "%s: a number is needed", word);
    else if (!strcmp(word, "n"))
        return change_n(live, value);
    else if (!strcmp(word, "stride") && value >= 1 && value <= MOST_STRIDE)
        return change_stride(live, value);
    else if (!strcmp(word, "dt") && value > 0 && value <= 1) {
        live->moving.scene.dt = value;
        return go_on(live);
    } else if (!strcmp(word, "softening") && value >= 0 && value <= 1) {
        live->softening = value;
        return go_on(live);
    } else
        return refuse(live, "%s = %s: a number %s is needed", word, text,
                      !strcmp(word, "dt")          ? "above 0 and at most 1"
                      : !strcmp(word, "softening") ? "from 0 to 1"
                                                   : "from 1 to 100");
    return OUTCOME_ACCEPTED;
}

static enum outcome move(struct live *live) {
    struct moving *moving = &live->moving;
    const struct scene *scene = &moving->scene;
    double seconds;
    enum outcome outcome = moving_advance(moving, live->stride, &seconds);

    if (outcome)
        return outcome;
    live->time += live->stride * scene->dt;
    live->iterations += live->stride;
    live->work += live->stride * moving->problem->work(scene->distribution, scene->n);
    live->seconds += seconds;
    live->single_steps -= live->single_steps > 0;
    live->is_painted = 0;
    live->next_move = fmax(live->next_move + picture_time, clock_now());
    return OUTCOME_ACCEPTED;
}

/* Has a picture painted if somebody waits for it, or nothing moves. */
static void show(struct live *live, int moves, int waiting) {
    double now = clock_now();

    if (live->is_painted || (moves && (!waiting || now < live->next_picture)))
        return;
    live->is_painted = painter_paint(live->painter, &live->moving, live->time);
    if (live->is_painted)
        live->next_picture = now + 0.9 * picture_time; /* a timer is never early */
}

static enum outcome serve(struct live *live) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    char order[ORDER_BYTES];

    while (!outcome) {
        struct audience audience = live->serve->audience(live->server);
        int moves = audience.viewers && (!live->is_paused || live->single_steps);
        double now = clock_now(), wait = moves ? live->next_move - now : 1;

        show(live, moves, audience.waiting);
        energy_sum(live->energy, &live->moving, softening(live), live->time);
        if (now >= live->next_text)
            say(live, NULL);
        if (!live->is_painted)
            wait = fmin(wait, picture_time);
        if (moves && live->is_unpaced)
            wait = 0;
        if (live->serve->order(live->server, fmax(wait, 0), order))
            outcome = obey(live, order);
        else if (moves && (live->is_unpaced || clock_now() >= live->next_move))
            outcome = move(live);
    }
    return outcome;
}

/* The player goes with this process, and there is nothing to be kept. */
static void leave(int signal) {
    (void)signal;
    _exit(OUTCOME_ACCEPTED);
}

enum outcome live(const struct options *options) {
    static struct live live;
    const struct sigaction action = {.sa_handler = leave};
    struct moving *moving = &live.moving;
    enum outcome outcome = moving_choose(moving, options);

    live.softening = -1;
    live.stride = 1;
    live.step = options->step ? options->step->name : "the fastest program";
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (!outcome && moving->problem->motion->making)
        outcome = complain(OUTCOME_USAGE,
                           "%s makes %s and moves none; `make film` shows them, and `make live` "
                           "those of a problem whose programs move them",
                           live.step, moving->problem->element);
    if (outcome || (outcome = moving_start(moving, options)))
        return outcome;
    printf("%d %s of the distribution %s, moved by %s; Ctrl-C ends\n", moving->scene.n,
           moving->problem->element, moving->scene.distribution, moving->mover);
    if ((outcome = door_open(options, &live.serve, &live.server)))
        return outcome;
    live.painter = painter_start(live.serve, live.server);
    live.energy = energy_start();
    if (!live.painter || !live.energy)
        return complain(OUTCOME_INTERNAL, "no memory or no thread for pictures");
    outcome = serve(&live);
    say(&live, moving->player ? player_message(moving->player) : outcome_sentence(outcome));
    live.serve->end(live.server);
    return outcome;
}
