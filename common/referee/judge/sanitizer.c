#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/text.h"
#include "sanitizer.h"

/* The number behind the next "`source`:" in `text`, up to `end`; 0 if there is none. */
static int line_in(const char *text, const char *end, const char *source) {
    size_t length = strlen(source);

    while ((text = strstr(text, source)) && text < end) {
        text += length;
        if (*text == ':' && isdigit((unsigned char)text[1]))
            return atoi(text + 1);
    }
    return 0;
}

/* The line of an access, which a paragraph of a report describes. */
static int line_of(const char *access, const char *source) {
    const char *end = strstr(access, "\n\n");

    return line_in(access, end ? end : access + strlen(access), source);
}

static const char *find_how(const char *access) {
    if (tolower((unsigned char)*access) == 'a')
        return strstr(access, "write") == access + strlen("atomic ") ? "atomic write"
                                                                     : "atomic read";
    return tolower((unsigned char)*access) == 'w' ? "write" : "read";
}

/* "write of 4 bytes at line 12": a paragraph of a report that starts with what was done. */
static void describe_access(const char *start, const char *source, char *text, size_t room) {
    int line = line_of(start, source);
    const char *how = find_how(start);
    const char *size = strstr(start, " size ");

    if (line)
        snprintf(text, room, "%s of %d bytes at %s:%d", how, size ? atoi(size + 6) : 0, source,
                 line);
    else /* clang asks llvm-symbolizer for lines */
        snprintf(text, room, "%s of %d bytes in %s (llvm-symbolizer would know the line)", how,
                 size ? atoi(size + 6) : 0, source);
}

/* The first access of a report, `prefix` being "", or the one "Previous " to it; behind the prefix.
 */
static const char *find_access(const char *text, const char *prefix) {
    static const char *const words[] = {"Read", "Write", "Atomic read", "Atomic write"};
    const char *first = NULL;
    size_t i;

    for (i = 0; i < sizeof words / sizeof *words; i++) {
        char word[40];
        const char *found;

        snprintf(word, sizeof word, "%s%s of size ", prefix, words[i]);
        if (*prefix)
            word[strlen(prefix)] = (char)tolower((unsigned char)word[strlen(prefix)]);
        found = strstr(text, word);
        if (found && (!first || found + strlen(prefix) < first))
            first = found + strlen(prefix);
    }
    return first;
}

/* What cpucuda says of the memory that a report is about; 0 if nothing. */
static int read_note(const char *printed, char *text, size_t room) {
    static const char name[] = "cpucuda: note: ";
    const char *line = printed;

    while ((line = strstr(line, name))) {
        size_t length = strcspn(line += sizeof name - 1, "\n");
        const char *byte = strstr(line, "; this is byte ");

        if (byte && byte < line + length) {
            snprintf(text, room, "%.*s", (int)length, line);
            return 1;
        }
    }
    return 0;
}

/* A CUDA thread, as cpucuda names it for ThreadSanitizer. */
struct cuda_thread {
    int block[3], thread[3];
};

/* The name of the thread that made an access; NULL if it has none. */
static const char *name_of_thread(const char *report, const char *access) {
    const char *by = strstr(access, " by thread T");
    char name[32];

    if (!by || by > access + strcspn(access, "\n"))
        return NULL;
    snprintf(name, sizeof name, "  Thread T%d '", atoi(by + strlen(" by thread T")));
    return (by = strstr(report, name)) ? by + strlen(name) : NULL;
}

/* The thread that made the access which `access` describes; 0 if it was none of CUDA's. */
static int read_thread(const char *report, const char *access, struct cuda_thread *found) {
    const char *name = name_of_thread(report, access);

    return name &&
           sscanf(name, "block (%d,%d,%d) thread (%d,%d,%d)", &found->block[0], &found->block[1],
                  &found->block[2], &found->thread[0], &found->thread[1], &found->thread[2]) == 6;
}

/* A launch or copy, by the end of its threads' names. */
struct started {
    int stream, line;
};

static int read_started(const char *report, const char *access, struct started *found) {
    const char *name = name_of_thread(report, access);
    const char *stream = name ? strstr(name, " stream ") : NULL;

    return stream && stream < name + strcspn(name, "'") &&
           sscanf(stream, " stream %d line %d'", &found->stream, &found->line) == 2;
}

/* What would order two threads; the lines are 0 where they are not known. In memory that cudaMalloc
 * made (`global`) threads are not meant to meet as a rule, so that is asked first. */
static void describe_remedy(const struct cuda_thread *one, const struct cuda_thread *other,
                            int first, int second, int global, char *text, size_t room) {
    int one_block = !memcmp(one->block, other->block, sizeof one->block);
    int one_warp = one_block && one->thread[0] / 32 == other->thread[0] / 32 &&
                   !memcmp(one->thread + 1, other->thread + 1, 2 * sizeof(int));
    char way[64] = "from one to the other";
    size_t length;

    *text = 0;
    if (global)
        snprintf(
            text, room,
            "do two threads have the same index, does an index run past its array into the next, "
            "or do two arrays overlap? %s",
            first && first == second ? "" : "If one is to use what the other wrote, ");
    length = strlen(text);
    text += length;
    room -= length;
    /* Which of the two was meant to come first, the report does not know. */
    if (first && second)
        snprintf(way, sizeof way, "from line %d to line %d, or back", first, second);
    if (first && first == second)
        snprintf(text, room,
                 global ? "Else an atomic operation is missing"
                        : "an atomic operation is missing, or an element for each thread");
    else if (!one_block)
        snprintf(text, room,
                 "blocks run in any order, so what one writes another may use only in the next "
                 "launch, or behind atomic operations and a __threadfence()");
    else if (one_warp && !global)
        snprintf(text, room,
                 "a barrier is missing on the way %s: __syncthreads(), or __syncwarp() if no other "
                 "warp uses the variable",
                 way);
    else
        snprintf(text, room, "a barrier, __syncthreads(), is missing on the way %s", way);
}

/* A race between CUDA threads; 0 if the report is about others. */
static int describe_cuda_race(const char *report, const char *now, const char *before,
                              const char *source, char *message) {
    char first[100], second[100], remedy[360], note[160], about[170] = "";
    struct cuda_thread one, other;
    const char *who;
    int has_note = read_note(report, note, sizeof note);

    if (!now || !before || !read_thread(report, now, &other) || !read_thread(report, before, &one))
        return 0;
    describe_access(before, source, first, sizeof first);
    describe_access(now, source, second, sizeof second);
    describe_remedy(&one, &other, line_of(before, source), line_of(now, source),
                    has_note && !strncmp(note, "memory that ", 12), remedy, sizeof remedy);
    if (has_note)
        snprintf(about, sizeof about, " (%s)", note);
    who = memcmp(one.block, other.block, sizeof one.block)
              ? "threads of two blocks touch the same memory without order"
              : "two threads of one block touch the same memory without order";
    snprintf(message, SANITIZER_MESSAGE,
             "%s: %s by thread (%d,%d,%d) of block (%d,%d,%d), %s by thread (%d,%d,%d) of block "
             "(%d,%d,%d)%s: %s",
             who, first, one.thread[0], one.thread[1], one.thread[2], one.block[0], one.block[1],
             one.block[2], second, other.thread[0], other.thread[1], other.thread[2],
             other.block[0], other.block[1], other.block[2], about, remedy);
    return 1;
}

/* A race between the work of two streams; 0 if the report is about others. */
static int describe_streams(const char *report, const char *now, const char *before,
                            const char *source, char *message) {
    struct started one, other;
    int line_now, line_before;
    char note[160], about[200] = "", where[100] = "";

    if (!now || !before || !read_started(report, before, &one) ||
        !read_started(report, now, &other) || one.stream == other.stream)
        return 0;
    line_now = line_of(now, source);
    line_before = line_of(before, source);
    if (line_before || line_now)
        snprintf(where, sizeof where, " in %s:%d", source, line_before ? line_before : line_now);
    if (line_before && line_now)
        text_add(where, sizeof where, " and line %d", line_now);
    if (read_note(report, note, sizeof note))
        snprintf(about, sizeof about, " (%s)", note);
    snprintf(message, SANITIZER_MESSAGE,
             "what %s:%d and %s:%d gave to two streams touches the same memory%s%s, and neither "
             "waits for the other: cudaEventRecord and cudaStreamWaitEvent order two streams",
             source, one.line, source, other.line, where, about);
    return 1;
}

static enum outcome describe_race(const char *report, const char *source, char *message) {
    const char *now = find_access(report, ""), *before = find_access(report, "Previous ");
    const char *name = strstr(report, "Location is ");
    char first[256] = "an access", second[256] = "another one";
    const size_t length = strlen("Location is ");
    int shared;

    if (describe_streams(report, now, before, source, message))
        return OUTCOME_ORDER;
    if (describe_cuda_race(report, now, before, source, message))
        return OUTCOME_RACE;
    if (now)
        describe_access(now, source, first, sizeof first);
    if (before)
        describe_access(before, source, second, sizeof second);
    shared = name && (!strncmp(name + length, "stack of main", 13) || /* '??' is a mapping */
                      (!strncmp(name + length, "global '", 8) && name[length + 8] != '?'));
    snprintf(message, SANITIZER_MESSAGE,
             "two threads touch the same memory without order: %s and, in another thread, %s%s",
             first, second,
             shared ? "; the variable lives outside the parallel loop, so all threads share it: "
                      "declare it inside, or name it in a private or reduction clause"
                    : "");
    return OUTCOME_RACE;
}

/* What AddressSanitizer and ThreadSanitizer call an error, and what that is. */
static const struct {
    const char *name, *meaning;
    enum outcome outcome;
} errors[] = {
    {"SEGV",
     "the program used memory that is not its own, by a pointer that is NULL or was never set, or "
     "by an index that is far off",
     OUTCOME_MEMORY},
    {"BUS", "the program used memory that is not its own", OUTCOME_MEMORY},
    {"FPE", "an integer was divided by zero", OUTCOME_MEMORY},
    {"ABRT",
     "abort() was called, by the program, by an assertion that does not hold or by the "
     "library",
     OUTCOME_CRASHED},
    {"ILL", "an illegal instruction was executed, such as that of __builtin_trap()",
     OUTCOME_CRASHED},
    {"stack-overflow", "the stack is full, by a large local array or a recursion without end",
     OUTCOME_MEMORY},
    {"attempting double-free", "free() of memory that was freed before", OUTCOME_MEMORY},
    {"attempting free", "free() of memory that malloc() did not make", OUTCOME_MEMORY},
    {"alloc-dealloc-mismatch",
     "memory was given back by another function than the one that goes with what made it; "
     "cudaFree and cudaFreeHost free what CUDA made",
     OUTCOME_MEMORY},
    {"heap-use-after-free", "memory was used that had been freed", OUTCOME_MEMORY},
    {"heap-buffer-overflow", "outside memory of malloc()", OUTCOME_MEMORY},
    {"stack-buffer-overflow", "outside a local array, or far outside of other memory",
     OUTCOME_MEMORY},
    {"global-buffer-overflow", "outside a static array", OUTCOME_MEMORY},
    {"stack-use-after",
     "a local variable was used after the block or function that it belongs to had ended",
     OUTCOME_MEMORY},
    {"memcpy-param-overlap", "memcpy() between places that overlap", OUTCOME_MEMORY},
};

/* `what` is the error's name in the report of the tool, and what follows it. */
static enum outcome describe_error(const char *what, const char *tool, const char *source,
                                   char *message) {
    const char *meaning = NULL, *writes = strstr(what, "WRITE of size ");
    const char *access = writes ? writes : strstr(what, "READ of size ");
    int line = line_in(what, what + strlen(what), source), length = (int)strcspn(what, " \n");
    char where[32] = "", bytes[40] = "";
    enum outcome outcome = OUTCOME_MEMORY;
    size_t i;

    for (i = 0; i < sizeof errors / sizeof *errors && !meaning; i++)
        if (!strncmp(what, errors[i].name, strlen(errors[i].name))) {
            meaning = errors[i].meaning;
            outcome = errors[i].outcome;
            length = (int)strlen(errors[i].name);
        }
    if (line)
        snprintf(where, sizeof where, ":%d", line);
    if (access)
        snprintf(bytes, sizeof bytes, "%s of %d bytes, ", writes ? "write" : "read",
                 atoi(strstr(access, "size ") + 5));
    snprintf(message, SANITIZER_MESSAGE, "%s%s: %s%s%s%s: %.*s%s", source, where, bytes,
             meaning ? meaning : "", meaning ? " (" : "", tool, length, what, meaning ? ")" : "");
    return outcome;
}

/* What AddressSanitizer found, without its addresses. */
static enum outcome describe_address(const char *printed, const char *report, const char *source,
                                     char *message) {
    const char *what = report + strlen("AddressSanitizer: ");
    const char *writes = strstr(report, "WRITE of size ");
    const char *access = writes ? writes : strstr(report, "READ of size ");
    int line = line_in(report, report + strlen(report), source);
    char note[256];

    if (access && read_note(printed, note, sizeof note))
        snprintf(message, SANITIZER_MESSAGE, "%s:%d: %s of %d bytes outside its memory: %s", source,
                 line, writes ? "write" : "read", atoi(strstr(access, "size ") + 5), note);
    else if (!strncmp(what, "use-after-poison", 16)) /* the player fenced what lies behind them */
        snprintf(message, SANITIZER_MESSAGE,
                 "%s:%d: %s of %d bytes behind the end of `in` or `out`", source, line,
                 writes ? "write" : "read", access ? atoi(strstr(access, "size ") + 5) : 0);
    else
        return describe_error(what, "AddressSanitizer", source, message);
    return OUTCOME_MEMORY;
}

/* UBSan names the line before its message. */
static void describe_undefined(const char *printed, const char *report, const char *source,
                               char *message) {
    const char *start = report;

    while (start > printed && start[-1] != '\n')
        start--;
    snprintf(message, SANITIZER_MESSAGE, "%s:%d: %.*s", source, line_in(start, report, source),
             (int)strcspn(report, "\n"), report);
}

enum outcome sanitizer_read(const char *printed, const char *source, char *message) {
    const char *report;

    if ((report = strstr(printed, "ThreadSanitizer: data race")))
        return describe_race(report, source, message);
    if ((report = strstr(printed, "ERROR: AddressSanitizer: ")))
        return describe_address(printed, report + strlen("ERROR: "), source, message);
    if ((report = strstr(printed, "ERROR: ThreadSanitizer: ")))
        return describe_error(report + strlen("ERROR: ThreadSanitizer: "), "ThreadSanitizer",
                              source, message);
    if ((report = strstr(printed, "runtime error: "))) {
        describe_undefined(printed, report, source, message);
        return OUTCOME_MEMORY;
    }
    return OUTCOME_ACCEPTED;
}

int sanitizer_knows_openmp(const char *printed) {
    return strstr(printed, "Archer detected OpenMP application with TSan") != NULL;
}
