/* What became of a player that did not answer. */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "last_words.h"
#include "player_parts.h"
#include "problems/problem.h"
#include "protocol/player.h"
#include "referee/base/clock.h"
#include "referee/base/filter.h"
#include "referee/base/wrapper.h"
#include "referee/build/source_line.h"

/* The exit status by which cpucuda says that its last line tells why. */
enum { ENDED_BY_CPUCUDA = 67 };

/* A sandbox tells by a status above this one which signal ended the program in it. */
enum { ENDED_BY_SIGNAL = 128 };

/* The player ended by exit(). */
static enum outcome exited(struct player *player, int status) {
    char line[MESSAGE / 2], where[MESSAGE / 2];
    enum outcome told;

    if ((status == 1 || status == ENDED_BY_CPUCUDA) &&
        (told = last_words(player->print_text, player->options.path, player->message, MESSAGE)))
        return told;
    last_line(player->print_text, line, sizeof line);
    if (wrapper_in_use() && !strncmp(line, "sandbox: ", 9)) /* a step can print that, too */
        return player_fail(player, OUTCOME_EXITED,
                           "ended with status %d before it had answered: %s", status, line);
    if (status == 1 && strstr(line, ".cu:")) /* by CUDA_CHECK */
        return player_fail(player, OUTCOME_OWN_ERROR, "reported an error of its own: %s", line);
    source_of_calls(player->options.path, player->own->ended_at, ENDS, where, sizeof where);
    return player_fail(
        player, OUTCOME_EXITED,
        "ended with status %d%s before it had answered; a step returns from its functions "
        "and never calls exit",
        status, where);
}

enum outcome player_own_error(struct player *player, char command) {
    enum outcome told =
        last_words(player->print_text, player->options.path, player->message, MESSAGE);
    char line[MESSAGE / 2], returned[40] = "run function returned ";

    if (told)
        return told;
    last_line(player->print_text, line, sizeof line);
    snprintf(returned + 22, sizeof returned - 22, "%d", player->own->status);
    return player_fail(player, OUTCOME_OWN_ERROR, "reported an error of its own: its %s%s%s",
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
    return player_fail(player, OUTCOME_CRASHED, "was ended by signal %d (%s)%s%s%s", number,
                       strsignal(number), where, describe_signal(player, number), line);
}

enum outcome player_departed(struct player *player) {
    double give_up = clock_now() + 0.5;
    int status, number;
    pid_t pid;

    while ((pid = waitpid(player->pid, &status, WNOHANG)) == 0 && clock_now() < give_up) {
        player_drain(player);
        usleep(1000);
    }
    player_drain(player);
    if (pid == 0) {
        player_kill(player);
        return player_fail(player, OUTCOME_CLOSED,
                           "closed the pipe it answers on and went on running");
    }
    player->over = 1;
    if (WIFEXITED(status) && !(wrapper_in_use() && WEXITSTATUS(status) > ENDED_BY_SIGNAL))
        return exited(player, WEXITSTATUS(status));
    number = WIFEXITED(status) ? WEXITSTATUS(status) - ENDED_BY_SIGNAL : WTERMSIG(status);
    if (number == SIGSYS) {
        int call = player->own->refused_call;

        /* No number: signals were blocked, as system(), popen() and posix_spawn() have them. */
        if (call == 0 || filter_starts_process(call))
            return player_fail(player, OUTCOME_FORKED,
                               "started another process (fork, system or popen, by system call %d; "
                               "0 if a thread that blocks signals made it); a step is one process",
                               call);
        return player_fail(player, OUTCOME_FORBIDDEN,
                           "made system call %d, which no step needs (it traces, signals, resizes)",
                           call);
    }
    return crashed(player, number);
}

enum outcome player_hung(struct player *player, char command, double seconds) {
    const struct turn *turn = (const struct turn *)player->input;
    struct pollfd reply = {.fd = player->reply, .events = POLLIN};
    char why[MESSAGE] = "", where[MESSAGE / 4] = "", when[96] = "in its create function";
    const struct problem *problem = player->options.problem;
    int iterations = turn->iterations, launch, length;
    char count[40];

    kill(player->step, SIGTERM);
    poll(&reply, 1, 2000); /* cpucuda takes a second */
    player_drain(player);
    player_kill(player);
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
    return player_fail(player, OUTCOME_HUNG,
                       "did not answer within %.0f s, %s, and was ended%s%s%s", seconds, when,
                       where, *why ? ": " : "", why);
}
