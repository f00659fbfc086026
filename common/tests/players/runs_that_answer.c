/* Answers, wrong or right, and how they come: each is a player (honest.h). */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "honest.h"

/* Leaves the output as it is. */
PLAYER(writes_nothing) {
    return 0;
}

/* Stops at the middle of the output. */
PLAYER(writes_half) {
    struct simulation half = *simulation;

    half.parameters.n /= 2;
    return honest_run(&half, iterations);
}

/* One body in the middle is no number. */
PLAYER(writes_nan) {
    honest_run(simulation, iterations);
    simulation->out[simulation->parameters.n / 2].vy = NAN;
    return 0;
}

/* One body in the middle is infinitely far away. */
PLAYER(writes_inf) {
    honest_run(simulation, iterations);
    simulation->out[simulation->parameters.n / 2].z = INFINITY;
    return 0;
}

/* Makes its input such that its own wrong output would be right: nothing moves. */
PLAYER(changes_input) {
    memset((void *)simulation->in, 0, honest_bytes(simulation));
    memset(simulation->out, 0, honest_bytes(simulation));
    return 0;
}

/* Takes its input for scratch memory. */
PLAYER(computes_in_input) {
    struct body *bodies = (struct body *)simulation->in;

    for (int iteration = 0; iteration < iterations; iteration++) {
        honest_velocities(&simulation->parameters, bodies);
        honest_positions(&simulation->parameters, bodies);
    }
    memcpy(simulation->out, bodies, honest_bytes(simulation));
    return 0;
}

/* Writes its own sizes into the page that tells it the referee's. */
PLAYER(overwrites_header) {
    struct turn *turn = (struct turn *)((char *)simulation->in - HEADER_BYTES);

    turn->input_bytes = turn->output_bytes = SIZE_MAX;
    turn->iterations = 0;
    memset(turn->parameters, 0, sizeof turn->parameters);
    return honest_run(simulation, iterations);
}

/* Forces in the first iteration only. */
PLAYER(forces_first) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration == 0)
            honest_velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}

/* Forces in the last iteration only: right for one iteration, cheap for ten. */
PLAYER(forces_last) {
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    for (int iteration = 0; iteration < iterations; iteration++) {
        if (iteration == iterations - 1)
            honest_velocities(&simulation->parameters, simulation->out);
        honest_positions(&simulation->parameters, simulation->out);
    }
    return 0;
}

/* Two answers of its own come on top of the player's. */
PLAYER(answers_twice) {
    int status = honest_run(simulation, iterations);

    return write(REPLY_FD, "rr", 2) == 2 ? status : 1;
}

static int wanted;

static void *finish(void *simulation) {
    usleep(300000); /* on a busy machine, too, the referee has its answer by then */
    honest_run(simulation, wanted);
    return NULL;
}

/* Answers first; a thread writes the output when the clock should have stopped. */
PLAYER(finishes_late) {
    pthread_t thread;

    wanted = iterations;
    if (write(REPLY_FD, "r", 1) != 1 || pthread_create(&thread, NULL, finish, simulation))
        return 1;
    return pthread_join(thread, NULL);
}

/* Right result; its figures are no times at all. */
PLAYER(boasts) {
    figures->force_seconds = NAN;
    figures->position_seconds = -1;
    figures->device_seconds = 1e30;
    return honest_run(simulation, iterations);
}

/* Right result, and figures that could be true. */
PLAYER(boasts_a_little) {
    figures->force_seconds = 0.25;
    figures->position_seconds = 0.125;
    figures->device_seconds = 1e-6;
    return honest_run(simulation, iterations);
}

/* The same, but in one of its first two runs nothing moves. */
static int boasts_but_once(struct simulation *simulation, int iterations, int still) {
    static int runs;

    figures->device_seconds = 1e-6;
    if (runs++ != still)
        return honest_run(simulation, iterations);
    memcpy(simulation->out, simulation->in, honest_bytes(simulation));
    return 0;
}

PLAYER(boasts_and_wakes_up) {
    return boasts_but_once(simulation, iterations, 0);
}

PLAYER(boasts_and_nods_off) {
    return boasts_but_once(simulation, iterations, 1);
}

/* Honest, and leaves a byte in a file each time it runs. */
PLAYER(is_company) {
    int file = open("build/tests/company", O_WRONLY | O_CREAT | O_APPEND, 0666);
    ssize_t written = write(file, "", 1);

    close(file);
    return written == 1 ? honest_run(simulation, iterations) : 1;
}

/* Reports an error once the player `is_company` has run since its own last run. */
PLAYER(fails_in_company) {
    static off_t before = -1;
    struct stat file;
    off_t now = stat("build/tests/company", &file) ? 0 : file.st_size;

    if (before >= 0 && now != before)
        return 7;
    before = now;
    return honest_run(simulation, iterations);
}

/* Sleeps whenever the player `is_company` has run since its own last run: what a shared cache or a
 * shared power limit does to a program, only more surely. */
PLAYER(slows_in_company) {
    static off_t before;
    struct stat file;
    off_t now = stat("build/tests/company", &file) ? 0 : file.st_size;

    if (now != before)
        usleep(40000);
    before = now;
    return honest_run(simulation, iterations);
}

/* Takes more than a second, and counts its runs in the file `sleeps`, a byte each. */
PLAYER(sleeps) {
    int file = open("sleeps", O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (file < 0 || write(file, "z", 1) != 1)
        return 1;
    close(file);
    usleep(1100000);
    return honest_run(simulation, iterations);
}
