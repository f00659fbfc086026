/* Whether what is being done is to be ended. */
#ifndef ENGINE_STOP_H
#define ENGINE_STOP_H

#include <signal.h>

/* Set by SIGINT, SIGTERM and SIGHUP once engine_stop_on_signals() was called. An engine looks at it
 * several times a second, ends what it has begun, and returns OUTCOME_STOPPED. */
extern volatile sig_atomic_t engine_stop;
void engine_stop_on_signals(void);

#endif
