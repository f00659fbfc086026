/* The errors that calls return: the last one, and whether anybody looked. */
#include <stdarg.h>
#include <stdio.h>

#include "host.h"

namespace cpucuda {

static cudaError_t last = cudaSuccess;
static char words[512];  /* of the last error, kept after it was looked at */
static char unseen[512]; /* of the first error that nobody looked at */
static char taken[512];  /* of the first one that cudaGetLastError took away, and where */

cudaError_t failed(cudaError_t error, const char *subject, place call, const char *format, ...) {
    char reason[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    last = error;
    snprintf(words, sizeof words, "%s in %s:%d: %s", call.name, call.file, call.line, reason);
    if (!unseen[0])
        snprintf(unseen, sizeof unseen, "%s in %s:%d failed (%s)", call.name, call.file, call.line,
                 reason);
    fprintf(stderr, "cpucuda: %s: %s\n", subject, words);
    return error;
}

void forget_taken_error() {
    taken[0] = 0;
}

const char *unseen_error() {
    return unseen[0] ? unseen : nullptr;
}

const char *taken_error() {
    return taken[0] ? taken : nullptr;
}

/* A call that returns the last error. */
static void look_at_error(place call) {
    if (unseen[0] && !taken[0])
        snprintf(taken, sizeof taken, "%.400s; %s in %s:%d took the error and the program went on",
                 unseen, call.name, call.file, call.line);
    unseen[0] = 0;
}

} // namespace cpucuda

using namespace cpucuda;

extern "C" const char *cpucuda_last_failure(void) {
    return words;
}

cudaError_t cudaPeekAtLastError(const char *file, int line) {
    look_at_error({file, line, __func__});
    return last;
}

cudaError_t cudaGetLastError(const char *file, int line) {
    cudaError_t error = last;

    look_at_error({file, line, __func__});
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define ERROR_NAME(name, value, words)                                                             \
    case name:                                                                                     \
        return #name;
        CPUCUDA_ERRORS(ERROR_NAME)
#undef ERROR_NAME
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define ERROR_WORDS(name, value, words)                                                            \
    case name:                                                                                     \
        return words;
        CPUCUDA_ERRORS(ERROR_WORDS)
#undef ERROR_WORDS
    }
    return "unrecognized error code";
}
