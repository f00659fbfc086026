/* What a program says that is asked to end: which launch does not end, or was the last one. */
#include <csignal>
#include <map>
#include <string>
#include <unistd.h>

#include "internal.h"

namespace cpucuda {

/* Of this turn of the player: how often each kernel was launched, and the launch that runs or ran
 * last. */
static std::map<std::string, uint64_t> launches_of;
static const char *volatile last_kernel;
static volatile uint64_t last_number;

void forget_launches() {
    launches_of.clear();
    last_kernel = nullptr;
}

/* A launch runs; and whoever waits for the program asked it to end (SIGTERM), in which launch of
 * the process (0: in none so far). Then the launch says why it does not, if its threads wait, or
 * is ended a second later. */
static volatile bool running;
static volatile uint64_t launches, asked_in;
static struct sigaction before; /* the player's, which notes where that was */

static void end_by(int number, siginfo_t *information, void *context) {
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, information, context);
    signal(number, SIG_DFL);
    raise(number);
}

static void tell_launch(bool ended) {
    if (last_kernel)
        remark("hung", "launch %llu of %s %s", (unsigned long long)last_number, last_kernel,
               ended ? "was the last one so far, and host code goes on" : "does not end");
}

static void on_end_asked(int number, siginfo_t *information, void *context) {
    if (running && !asked_in) {
        asked_in = launches;
        alarm(1);
    } else if (!running) {
        tell_launch(true);
        end_by(number, information, context);
    }
}

static void on_alarm(int number, siginfo_t *information, void *context) {
    tell_launch(!running || asked_in != launches);
    end_by(number, information, context);
}

static void listen_for_end() {
    static bool listens;
    struct sigaction action = {};

    if (listens)
        return;
    action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
    action.sa_sigaction = on_alarm;
    sigaction(SIGALRM, &action, nullptr);
    action.sa_sigaction = on_end_asked;
    listens = !sigaction(SIGTERM, &action, &before);
}

uint64_t launches_so_far() {
    return launches;
}

void launch_begins(const char *kernel) {
    listen_for_end();
    last_kernel = kernel;
    last_number = ++launches_of[kernel];
    launches = launches + 1;
    running = true;
}

void launch_ends() {
    running = false;
}

bool end_is_asked() {
    return asked_in == launches;
}

uint64_t number_of_launch() {
    return last_number;
}

} // namespace cpucuda
