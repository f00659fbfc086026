#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "referee/base/clock.h"
#include "last_words.h"
#include "own_word.h"
#include "player_parts.h"
#include "player_process.h"
#include "problems/problem.h"
#include "process_tree.h"
#include "referee/base/wrapper.h"

enum outcome player_fail(struct player *player, enum outcome outcome, const char *format, ...) {
    va_list arguments;
    int length = snprintf(player->message, MESSAGE, "%s ", player->options.name);

    va_start(arguments, format);
    vsnprintf(player->message + length, MESSAGE - (size_t)length, format, arguments);
    va_end(arguments);
    return outcome;
}

/* A shared buffer that its other owner cannot resize: a shrunk mapping would kill the referee. */
static int sealed_buffer(const char *name, size_t bytes, void *mapping) {
    int fd = memfd_create(name, MFD_ALLOW_SEALING | MFD_CLOEXEC);
    void *start;

    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)bytes) ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ||
        (start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED) {
        close(fd);
        return -1;
    }
    *(void **)mapping = start;
    return fd;
}

/* Arrays above so many bytes are handled by all cores, in pieces. What takes long is that the
 * system gives the pages that are touched first. */
enum { MANY_BYTES = 1 << 28, PIECE_BYTES = 1 << 22 };

static void copy(void *to, const void *from, size_t bytes) {
#pragma omp parallel for if (bytes >= MANY_BYTES)
    for (size_t at = 0; at < bytes; at += PIECE_BYTES)
        memcpy((char *)to + at, (const char *)from + at,
               bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
}

static void poison(void *buffer, size_t bytes) {
    uint32_t *word = buffer;

#pragma omp parallel for if (bytes >= MANY_BYTES)
    for (size_t i = 0; i < bytes / sizeof *word; i++)
        word[i] = POISON;
}

struct player *player_start(const struct player_options *options, char *message) {
    struct player *player = calloc(1, sizeof *player);
    int input = -1, output = -1, own = -1;
    int command[2] = {-1, -1}, reply[2] = {-1, -1}, print[2] = {-1, -1};
    pid_t referee = getpid();

    signal(SIGPIPE, SIG_IGN);
    prctl(PR_SET_DUMPABLE, 0); /* a player of the same user must not read this process's memory */
    if (!player) {
        snprintf(message, MESSAGE, "%s: no memory for a player", options->name);
        return NULL;
    }
    player->options = *options;
    stat(options->path, &player->program); /* if it is not there, it will be said */
    player->input_mapped = HEADER_BYTES + options->input_bytes;
    player->output_mapped = options->output_bytes;
    input = sealed_buffer("input", player->input_mapped, &player->input);
    output = sealed_buffer("output", player->output_mapped, &player->output);
    own = sealed_buffer("figures", sizeof *player->own, &player->own);
    if (input < 0 || output < 0 || own < 0 || pipe2(command, O_CLOEXEC) ||
        pipe2(reply, O_CLOEXEC) || pipe2(print, O_CLOEXEC) || (player->pid = fork()) < 0) {
        snprintf(message, MESSAGE, "%s: the system gave no memory, pipe or process for it: %s",
                 options->name, strerror(errno));
        player->over = 1;
    } else if (player->pid == 0) {
        player_child(options, (int[]){input, output, own, command[0], reply[1], print[1]}, referee);
    } else {
        player->step = player->pid;
        setpgid(player->pid, player->pid);
    }
    close(input);
    close(output);
    close(own);
    close(command[0]);
    close(reply[1]);
    close(print[1]);
    player->command = command[1];
    player->reply = reply[0];
    player->print = print[0];
    if (player->over) {
        player_end(player);
        return NULL;
    }
    fcntl(player->command, F_SETFL, O_NONBLOCK);
    fcntl(player->print, F_SETFL, O_NONBLOCK);
    fcntl(player->reply, F_SETFL, O_NONBLOCK);
    return player;
}

/* Keeps the start and the end of what was printed: between sanitizers' reports and cpucuda's last
 * line there may be many more. */
static void keep(struct player *player, const char *bytes, size_t count) {
    size_t kept = player->printed < KEPT_PRINT ? player->printed : KEPT_PRINT;

    if (kept + count > KEPT_PRINT) {
        size_t dropped = kept + count - KEPT_PRINT;

        memmove(player->print_text + KEPT_START, player->print_text + KEPT_START + dropped,
                kept - KEPT_START - dropped);
        kept -= dropped;
    }
    memcpy(player->print_text + kept, bytes, count);
    player->printed += count;
}

int player_drain(struct player *player) {
    char bytes[4096];
    ssize_t count;

    while ((count = read(player->print, bytes, sizeof bytes)) > 0) {
        keep(player, bytes, (size_t)count);
        if (player->printed > ALLOWED_PRINT)
            break;
    }
    return count != 0;
}

/* The group holds a sanitizer's symbolizer, too; the process may have left the group. */
static void signal_player(const struct player *player, int number) {
    kill(-player->pid, number);
    kill(player->step, number);
}

void player_kill(struct player *player) {
    int status;

    if (player->over)
        return;
    signal_player(player, SIGKILL);
    while (waitpid(player->pid, &status, 0) < 0 && errno == EINTR)
        ;
    player->over = 1;
}

/* Below a sandbox, the step's process is the one that runs its program. 0: there is none. */
static pid_t step_process(const struct player *player) {
    if (!wrapper_in_use() || player->step != player->pid)
        return player->step;
    return process_running(player->pid, &player->program);
}

/* So many times the seconds of a turn, since a player's own threads may take the CPU from each
 * other. */
enum { MOST_WITHOUT_CPU = 3 };

/* Waits for the one byte that ends a turn. Seconds without a CPU, as on a busy machine, do not
 * count. */
static enum outcome await_answer(struct player *player, char command, double seconds) {
    double give_up = clock_now() + seconds, without = 0;
    struct thread_times before = thread_times_of(player->step);
    int prints = 1;

    for (;;) {
        struct pollfd sources[2] = {{.fd = player->reply, .events = POLLIN},
                                    {.fd = prints ? player->print : -1, .events = POLLIN}};
        double left = give_up - clock_now();
        struct timespec timeout = clock_timespec(left > 0 ? left : 0);
        char byte;

        if (ppoll(sources, 2, &timeout, NULL) < 0 && errno != EINTR)
            return player_fail(player, OUTCOME_INTERNAL, "could not be waited for: %s",
                               strerror(errno));
        if (sources[0].revents) {
            ssize_t count = read(player->reply, &byte, 1);

            if (count == 1)
                return OUTCOME_ACCEPTED;
            if (count == 0)
                return player_departed(player);
        }
        if (sources[1].revents)
            prints = player_drain(player);
        if (player->printed > ALLOWED_PRINT) {
            player_kill(player);
            return player_fail(player, OUTCOME_FLOODED, "printed more than %d KiB and was ended",
                               ALLOWED_PRINT / 1024);
        }
        if (left <= 0) {
            pid_t step = step_process(player); /* 0: the sandbox has not started it yet */
            double worked, now;

            most_since(&before, step ? step : player->pid, &worked, &now);
            now = fmin(now, MOST_WITHOUT_CPU * seconds);
            if (now <= without + 1e-3)
                return player_hung(player, command, seconds + without);
            give_up += now - without;
            without = now;
        }
    }
}

static enum outcome find_step(struct player *player) {
    pid_t step = step_process(player);

    if (step) {
        player->step = step;
        return OUTCOME_ACCEPTED;
    }
    player_kill(player);
    return player_fail(player, OUTCOME_PROTOCOL, "answered, but nothing runs its program any more");
}

/* Stops every thread of the player and waits until they are. */
static enum outcome pause_player(struct player *player) {
    double give_up = clock_now() + 2;
    int status, stopped;

    if (player->over)
        return OUTCOME_ACCEPTED;
    signal_player(player, SIGSTOP);
    while (!(stopped = process_is_stopped(player->step)) && clock_now() < give_up)
        usleep(20);
    if (!stopped) {
        player_kill(player);
        return player_fail(player, OUTCOME_PROTOCOL,
                           "did not let itself be stopped after its answer");
    }
    if (waitpid(player->pid, &status, WNOHANG) == player->pid) {
        player->over = 1;
        return player_fail(player, OUTCOME_EXITED, "ended right after its answer");
    }
    return OUTCOME_ACCEPTED;
}

/* The CPU time of a stopped process. Its last thread may still be on its way off the CPU, and on a
 * virtual machine that can be charged for long. */
static double settled_cpu_seconds(pid_t pid) {
    double before = cpu_seconds(pid), now;
    int i;

    for (i = 0; i < 100; i++, before = now) {
        usleep(50);
        if ((now = cpu_seconds(pid)) == before)
            break;
    }
    return before;
}

/* Whether a byte waits on the reply pipe that nobody asked for. */
static int unasked_answer(struct player *player) {
    char byte;

    return read(player->reply, &byte, 1) == 1;
}

/* One turn. For a run, `input` and `output` are copied inside the time that `seconds` tells. */
static enum outcome take_turn(struct player *player, char command, const void *input, void *output,
                              double allowed, double *seconds) {
    double grace = player->options.grace > 0 ? player->options.grace : 10, start;
    enum outcome outcome, paused;

    if (player->over)
        return player_fail(player, OUTCOME_EXITED, "had ended before its turn began");
    if (unasked_answer(player))
        return player_fail(player, OUTCOME_PROTOCOL, "answered before it was asked");
    if (player->used > 0 && cpu_seconds(player->step) > player->used + 1e-3)
        return player_fail(player, OUTCOME_PROTOCOL,
                           "worked outside its turn, although it was stopped");
    memset(&player->own->figures, 0, sizeof player->own->figures);
    memset(&player->own->counters, 0, sizeof player->own->counters);
    player->own->status = 0;
    signal_player(player, SIGCONT);

    start = clock_now();
    if (input)
        copy(player->input + HEADER_BYTES, input, player->input_bytes);
    if (write(player->command, &command, 1) == 1)
        outcome = await_answer(player, command, grace + allowed);
    else if (errno == EAGAIN)
        outcome = player_fail(player, OUTCOME_PROTOCOL, "filled the pipe that it is commanded by");
    else
        outcome = player_departed(player);
    if (output && outcome == OUTCOME_ACCEPTED)
        copy(output, player->output, player->output_bytes);
    if (seconds)
        *seconds = clock_now() - start;
    if (outcome == OUTCOME_ACCEPTED)
        outcome = find_step(player);

    paused = pause_player(player);
    player->used = settled_cpu_seconds(player->step);
    player_drain(player);
    if (outcome == OUTCOME_ACCEPTED)
        outcome = paused;
    if (outcome == OUTCOME_ACCEPTED && unasked_answer(player))
        outcome = player_fail(player, OUTCOME_PROTOCOL, "answered more than once");
    if (outcome == OUTCOME_ACCEPTED && player->own->status)
        outcome = player_own_error(player, command);
    return outcome;
}

enum outcome player_create(struct player *player, const void *parameters, size_t parameters_bytes,
                           size_t input_bytes, size_t output_bytes) {
    struct turn *turn = (struct turn *)player->input;

    turn->input_bytes = player->input_bytes = input_bytes;
    turn->output_bytes = player->output_bytes = output_bytes;
    memcpy(turn->parameters, parameters, parameters_bytes);
    return take_turn(player, TURN_CREATE, NULL, NULL, 0, NULL);
}

enum outcome player_run(struct player *player, const void *input, void *output, int iterations,
                        double allowed, double *seconds) {
    struct turn *turn = (struct turn *)player->input;

    turn->iterations = iterations;
    poison(player->output, player->output_mapped);
    return take_turn(player, TURN_RUN, input, output, allowed, seconds);
}

enum outcome player_destroy(struct player *player) {
    return take_turn(player, TURN_DESTROY, NULL, NULL, 0, NULL);
}

void player_end(struct player *player) {
    if (!player)
        return;
    player_kill(player);
    if (player->input)
        munmap(player->input, player->input_mapped);
    if (player->output)
        munmap(player->output, player->output_mapped);
    if (player->own)
        munmap(player->own, sizeof *player->own);
    close(player->command);
    close(player->reply);
    close(player->print);
    free(player);
}

const char *player_message(const struct player *player) {
    return player->message;
}

const char *player_printed(const struct player *player) {
    return player->print_text;
}

struct figures player_figures(const struct player *player) {
    return figures_in_range(player->own->figures);
}

struct counters player_counters(const struct player *player) {
    return counters_in_range(player->own->counters);
}

enum outcome player_suspect(const struct player *player, char message[512]) {
    const struct counters counters = player_counters(player);

    return last_words(counters.suspect, player->options.path, message, MESSAGE);
}

pid_t player_pid(const struct player *player) {
    return player->step;
}
