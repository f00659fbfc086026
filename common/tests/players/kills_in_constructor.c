/* Signals the referee before main(). */
#include <signal.h>
#include <unistd.h>

#include "honest.h"

__attribute__((constructor)) static void before_main(void) {
    kill(getppid(), SIGKILL);
}
