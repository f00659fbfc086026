#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
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
#include "referee/base/filter.h"
#include "last_words.h"
#include "own_word.h"
#include "player_process.h"
#include "problems/problem.h"
#include "process_tree.h"
#include "referee/build/source_line.h"
#include "referee/base/wrapper.h"

/* The exit status by which cpucuda says that its last line tells why. */
enum { ENDED_BY_CPUCUDA = 67 };

/* A sandbox tells by a status above this one which signal ended the program in it. */
enum { ENDED_BY_SIGNAL = 128 };

enum { KEPT_PRINT = 64 * 1024, KEPT_START = 48 * 1024, ALLOWED_PRINT = 1024 * 1024, MESSAGE = 512 };

struct player {
    struct player_options options;
    pid_t pid;  /* our child: the step's process, or a sandbox above it */
    pid_t step; /* the step's process, known from its first answer on; before that our child */
    int over;   /* the process was waited for */
    struct stat program; /* the file that it runs */
    unsigned char *input, *output;
    struct own_figures *own;
    size_t input_mapped, output_mapped;
    size_t input_bytes, output_bytes; /* of this simulation; the player can write the header's */
    int command, reply, print;        /* our ends of the pipes */
    double used;                      /* CPU seconds at the end of the last turn */
    size_t printed;                   /* bytes in all */
    char print_text[KEPT_PRINT + 1];
    char message[MESSAGE];
};

__attribute__((format(printf, 3, 4))) static enum outcome
fail(struct player *player, enum outcome outcome, const char *format, ...) {
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

/* Takes what the player printed. Returns 0 when nothing more can come. */
static int drain(struct player *player) {
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

static void kill_player(struct player *player) {
    int status;

    if (player->over)
        return;
    signal_player(player, SIGKILL);
    while (waitpid(player->pid, &status, 0) < 0 && errno == EINTR)
        ;
    player->over = 1;
}

/* The player ended by exit(). */
static enum outcome exited(struct player *player, int status) {
    char line[MESSAGE / 2], where[MESSAGE / 2];
    enum outcome told;

    if ((status == 1 || status == ENDED_BY_CPUCUDA) &&
        (told = last_words(player->print_text, player->options.path, player->message, MESSAGE)))
        return told;
    last_line(player->print_text, line, sizeof line);
    if (wrapper_in_use() && !strncmp(line, "sandbox: ", 9)) /* a step can print that, too */
        return fail(player, OUTCOME_EXITED, "ended with status %d before it had answered: %s",
                    status, line);
    if (status == 1 && strstr(line, ".cu:")) /* by CUDA_CHECK */
        return fail(player, OUTCOME_OWN_ERROR, "reported an error of its own: %s", line);
    source_of_calls(player->options.path, player->own->ended_at, ENDS, where, sizeof where);
    return fail(player, OUTCOME_EXITED,
                "ended with status %d%s before it had answered; a step returns from its functions "
                "and never calls exit",
                status, where);
}

/* A function of the step returned an error: what it printed last, or what cpucuda says of it. */
static enum outcome own_error(struct player *player, char command) {
    enum outcome told =
        last_words(player->print_text, player->options.path, player->message, MESSAGE);
    char line[MESSAGE / 2], returned[40] = "run function returned ";

    if (told)
        return told;
    last_line(player->print_text, line, sizeof line);
    snprintf(returned + 22, sizeof returned - 22, "%d", player->own->status);
    return fail(player, OUTCOME_OWN_ERROR, "reported an error of its own: its %s%s%s",
                command == TURN_CREATE ? "create function returned NULL" : returned,
                *line ? "; it printed: " : "", line);
}

/* What the signal is about, where its name says too little. */
static const char *describe_signal(const struct player *player, int number) {
    return number == SIGFPE ? ": an integer was divided by zero"
           : number == SIGSEGV && player->own->stack_is_full
               ? ": the stack is full, by a large local "
                 "array or a recursion without end"
           : number == SIGSEGV || number == SIGBUS    ? ": it used memory that is not its own"
           : number == SIGKILL                        ? "; the system may be out of memory"
           : number == SIGABRT && *player->print_text ? "; it printed: "
                                                      : "";
}

/* The player was ended by a signal. */
static enum outcome crashed(struct player *player, int number) {
    char line[MESSAGE / 4] = "", where[MESSAGE / 4];

    source_of_calls(player->options.path, player->own->ended_at, ENDS, where, sizeof where);
    if (number == SIGABRT)
        last_line(player->print_text, line, sizeof line);
    return fail(player, OUTCOME_CRASHED, "was ended by signal %d (%s)%s%s%s", number,
                strsignal(number), where, describe_signal(player, number), line);
}

/* The player no longer holds its end of the reply pipe: says what became of it. */
static enum outcome departed(struct player *player) {
    double give_up = clock_now() + 0.5;
    int status, number;
    pid_t pid;

    while ((pid = waitpid(player->pid, &status, WNOHANG)) == 0 && clock_now() < give_up) {
        drain(player);
        usleep(1000);
    }
    drain(player);
    if (pid == 0) {
        kill_player(player);
        return fail(player, OUTCOME_CLOSED, "closed the pipe it answers on and went on running");
    }
    player->over = 1;
    if (WIFEXITED(status) && !(wrapper_in_use() && WEXITSTATUS(status) > ENDED_BY_SIGNAL))
        return exited(player, WEXITSTATUS(status));
    number = WIFEXITED(status) ? WEXITSTATUS(status) - ENDED_BY_SIGNAL : WTERMSIG(status);
    if (number == SIGSYS) {
        int call = player->own->refused_call;

        /* No number: signals were blocked, as system(), popen() and posix_spawn() have them. */
        if (call == 0 || filter_starts_process(call))
            return fail(player, OUTCOME_FORKED,
                        "started another process (fork, system, popen: system call %d, 0 for any "
                        "that a thread made which blocks signals); a step is one process",
                        call);
        return fail(player, OUTCOME_FORBIDDEN,
                    "made system call %d, which no step needs (it traces, signals, resizes)", call);
    }
    return crashed(player, number);
}

/* It did not answer in time. Before it is ended, cpucuda is asked for which launch and loop that
 * was; of what host code has computed by then nothing is known. */
static enum outcome hung(struct player *player, char command, double seconds) {
    const struct turn *turn = (const struct turn *)player->input;
    struct pollfd reply = {.fd = player->reply, .events = POLLIN};
    char why[MESSAGE] = "", where[MESSAGE / 4] = "", when[96] = "in its create function";
    const struct problem *problem = player->options.problem;
    int iterations = turn->iterations, launch, length;
    char count[40];

    kill(player->step, SIGTERM);
    poll(&reply, 1, 2000); /* cpucuda takes a second */
    drain(player);
    kill_player(player);
    last_words(player->print_text, player->options.path, why, sizeof why);
    source_of_calls(player->options.path, player->own->ended_at, ENDS, where, sizeof where);
    if (command == TURN_RUN) {
        length = snprintf(when, sizeof when, "in a run of %s",
                          problem_iterations(problem, iterations, count));
        if (iterations > 1 && sscanf(why, "launch %d of ", &launch) == 1 && launch <= iterations)
            snprintf(when + length, sizeof when - (size_t)length,
                     ", in %s %d if each launches the kernel once", problem_iteration(problem),
                     launch);
    }
    if (command == TURN_DESTROY)
        snprintf(when, sizeof when, "in its destroy function");
    return fail(player, OUTCOME_HUNG, "did not answer within %.0f s, %s, and was ended%s%s%s",
                seconds, when, where, *why ? ": " : "", why);
}

/* Waits for the one byte that ends a turn. */
static enum outcome await_answer(struct player *player, char command, double seconds) {
    double give_up = clock_now() + seconds;
    int prints = 1;

    for (;;) {
        struct pollfd sources[2] = {{.fd = player->reply, .events = POLLIN},
                                    {.fd = prints ? player->print : -1, .events = POLLIN}};
        double left = give_up - clock_now();
        struct timespec timeout = clock_timespec(left > 0 ? left : 0);
        char byte;

        if (ppoll(sources, 2, &timeout, NULL) < 0 && errno != EINTR)
            return fail(player, OUTCOME_INTERNAL, "could not be waited for: %s", strerror(errno));
        if (sources[0].revents) {
            ssize_t count = read(player->reply, &byte, 1);

            if (count == 1)
                return OUTCOME_ACCEPTED;
            if (count == 0)
                return departed(player);
        }
        if (sources[1].revents)
            prints = drain(player);
        if (player->printed > ALLOWED_PRINT) {
            kill_player(player);
            return fail(player, OUTCOME_FLOODED, "printed more than %d KiB and was ended",
                        ALLOWED_PRINT / 1024);
        }
        if (left <= 0)
            return hung(player, command, seconds);
    }
}

/* Below a sandbox, the step's process is the one that runs its program. */
static enum outcome find_step(struct player *player) {
    player->step = process_running(player->pid, &player->program);
    if (player->step)
        return OUTCOME_ACCEPTED;
    player->step = player->pid;
    kill_player(player);
    return fail(player, OUTCOME_PROTOCOL, "answered, but nothing runs its program any more");
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
        kill_player(player);
        return fail(player, OUTCOME_PROTOCOL, "did not let itself be stopped after its answer");
    }
    if (waitpid(player->pid, &status, WNOHANG) == player->pid) {
        player->over = 1;
        return fail(player, OUTCOME_EXITED, "ended right after its answer");
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
        return fail(player, OUTCOME_EXITED, "had ended before its turn began");
    if (unasked_answer(player))
        return fail(player, OUTCOME_PROTOCOL, "answered before it was asked");
    if (player->used > 0 && cpu_seconds(player->step) > player->used + 1e-3)
        return fail(player, OUTCOME_PROTOCOL, "worked outside its turn, although it was stopped");
    memset(&player->own->figures, 0, sizeof player->own->figures);
    memset(&player->own->counters, 0, sizeof player->own->counters);
    player->own->status = 0;
    signal_player(player, SIGCONT);

    start = clock_now();
    if (input)
        memcpy(player->input + HEADER_BYTES, input, player->input_bytes);
    if (write(player->command, &command, 1) == 1)
        outcome = await_answer(player, command, grace + allowed);
    else if (errno == EAGAIN)
        outcome = fail(player, OUTCOME_PROTOCOL, "filled the pipe that it is commanded by");
    else
        outcome = departed(player);
    if (output && outcome == OUTCOME_ACCEPTED)
        memcpy(output, player->output, player->output_bytes);
    if (seconds)
        *seconds = clock_now() - start;
    if (outcome == OUTCOME_ACCEPTED && wrapper_in_use() && player->step == player->pid)
        outcome = find_step(player);

    paused = pause_player(player);
    player->used = settled_cpu_seconds(player->step);
    drain(player);
    if (outcome == OUTCOME_ACCEPTED)
        outcome = paused;
    if (outcome == OUTCOME_ACCEPTED && unasked_answer(player))
        outcome = fail(player, OUTCOME_PROTOCOL, "answered more than once");
    if (outcome == OUTCOME_ACCEPTED && player->own->status)
        outcome = own_error(player, command);
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
    uint32_t *word = (uint32_t *)player->output;
    size_t i;

    turn->iterations = iterations;
    for (i = 0; i < player->output_mapped / sizeof *word; i++)
        word[i] = POISON;
    return take_turn(player, TURN_RUN, input, output, allowed, seconds);
}

enum outcome player_destroy(struct player *player) {
    return take_turn(player, TURN_DESTROY, NULL, NULL, 0, NULL);
}

void player_end(struct player *player) {
    if (!player)
        return;
    kill_player(player);
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

void player_cpu_seconds(const struct player *player, double *all, double *busiest) {
    *all = cpu_seconds(player->step);
    *busiest = cpu_seconds_of_busiest(player->step);
}
