#include "print.h"

#include <stdio.h>

const char *readable_seconds(double seconds, char buffer[32]) {
    if (seconds < 1e-3)
        snprintf(buffer, 32, "%.3g us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(buffer, 32, "%.3g ms", 1e3 * seconds);
    else
        snprintf(buffer, 32, "%.3g s", seconds);
    return buffer;
}
