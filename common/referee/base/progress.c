#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"
#include "progress.h"

static double started;

void progress_show(double done, const char *format, ...) {
    va_list arguments;
    char what[64], left[32] = "";

    if (!isatty(STDERR_FILENO))
        return;
    if (started == 0)
        started = clock_now();
    if (done > 0.02 && done < 1)
        snprintf(left, sizeof left, ", about %.0f s left",
                 (clock_now() - started) * (1 - done) / done);
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\r\033[K%3.0f%% %s%s", 100 * done, what, left);
    fflush(stderr);
}

void progress_end(void) {
    if (started != 0)
        fprintf(stderr, "\r\033[K");
    started = 0;
}
