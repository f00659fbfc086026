/* How the engine says what is wrong: one line, and the end. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sanitizers.h"

namespace cpucuda {

enum { FAILED = 67 }; /* the player's exit status, known to the referee */

static void say(const char *kind, const char *format, va_list arguments) {
    char text[1400];
    int length = snprintf(text, sizeof text, "cpucuda: %s: ", kind);

    length += vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    if (length > (int)sizeof text - 64 - CALLS_TEXT)
        length = (int)sizeof text - 64 - CALLS_TEXT;
    text[length] = 0;
    /* Where a kernel failed may be the kit's line. */
    if (on_device() && strcmp(kind, "note") && (strstr(text, "{+") || strstr(text, "common/kit/")))
        list_calls(text + length);
    length += (int)strlen(text + length);
    if (!getenv("CPUCUDA_SEED"))
        length += snprintf(text + length, 64, " (CPUCUDA_SEED=%llu)", (unsigned long long)seed());
    text[length++] = '\n';
    if (write(STDERR_FILENO, text, (size_t)length) < 0)
        _exit(FAILED);
}

void fail(const char *word, const char *format, ...) {
    static int failed;
    va_list arguments;

    /* Two workers may fail at once; the first one is told. */
    if (__atomic_exchange_n(&failed, 1, __ATOMIC_RELAXED))
        for (;;)
            pause();
    va_start(arguments, format);
    say(word, format, arguments);
    va_end(arguments);
    /* ThreadSanitizer has its own _exit(), with another status if it was told to ignore accesses.
     */
    _Exit(FAILED);
}

void remark(const char *word, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    say(word, format, arguments);
    va_end(arguments);
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    say("note", format, arguments);
    va_end(arguments);
}

/* Puts into words what a sanitizer's report is about. */
static void note_address(const void *address) {
    shared_place found;
    char text[400];

    describe_thread(text, sizeof text);
    if (find_shared(address, &found) && found.where.file)
        note("%s `%s` of %s:%d, %zu bytes; this is byte %zu",
             found.dynamic ? "dynamic shared memory" : "shared variable", found.where.name,
             found.where.file, found.where.line, found.bytes, found.offset);
    else if (const allocation *allocation = find_allocation(address))
        note("memory that %s in %s:%d made, %zu bytes; this is byte %td", allocation->where.name,
             allocation->where.file, allocation->where.line, allocation->bytes,
             (const char *)address - allocation->start);
    if (*text)
        note("%s", text);
}

int64_t clock_now() {
    static int64_t last;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t value = now.tv_sec * INT64_C(1000000000) + now.tv_nsec, before;
    do {
        before = __atomic_load_n(&last, __ATOMIC_RELAXED);
        if (value <= before)
            value = before + 1;
    } while (!__atomic_compare_exchange_n(&last, &before, value, true, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return value;
}

} // namespace cpucuda

/* Called by the sanitizers' runtimes when they report. */
extern "C" void __asan_on_error() {
    if (__asan_get_report_address)
        cpucuda::note_address(__asan_get_report_address());
}

extern "C" void __tsan_on_report(void *report) {
    void *address = nullptr, *trace[1];
    int thread, size, write, atomic;

    if (__tsan_get_report_mop &&
        __tsan_get_report_mop(report, 0, &thread, &address, &size, &write, &atomic, trace, 1))
        cpucuda::note_address(address);
}
