/* Sources that an instructor should read: those with words that a step has no use for, and by which
 * a program can tell a build, a checker or a machine from another. They are no proof, and nothing
 * is taken off for them. What the step's own solution or Makefile names is not among them. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "referee/build/catalogue.h"
#include "referee/base/files.h"
#include "page.h"
#include "query.h"
#include "text.h"
#include "tokens.h"
#include "writers.h"

/* Names. One that ends in * stands for all that begin so. */
static const char *const names[] = {
    /* checkers and their builds */
    "no_sanitize*",
    "disable_sanitizer*",
    "no_instrument*",
    "cpucuda*",
    "CPUCUDA*",
    "own_figures",
    "traced",
    "INPUT_FD",
    "NDEBUG",
    /* code that the compiler does not see as such, or that runs before and after main() */
    "asm",
    "constructor",
    "destructor",
    "weak",
    "alias",
    "ifunc",
    "weakref",
    "GCC",
    "clang",
    "_Pragma",
    /* where the program runs, and as what */
    "getenv",
    "secure_getenv",
    "environ",
    "getauxval",
    "program_invocation*",
    "argv",
    "getpid",
    "getppid",
    "uname",
    "gethostname",
    "getcwd",
    "readlink",
    "sysconf",
    "get_nprocs*",
    "sched_get*",
    "getrusage",
    "getrlimit",
    "dlsym",
    "dlopen",
    "dlvsym",
    "dladdr*",
    "dl_iterate_phdr",
    "syscall",
    "ptrace",
    "prctl",
    "backtrace*",
    "mallinfo*",
    "malloc_usable_size",
    "mincore",
    "mprotect",
    "signal",
    "sigaction",
    "setjmp",
    "sigsetjmp",
    "open",
    "openat",
    "fopen",
    "popen",
    "system",
    "cudaRuntimeGetVersion",
    "cudaDriverGetVersion",
    "uintptr_t",
    "intptr_t",
    /* how long something took */
    "clock",
    "clock_gettime",
    "clock64",
    "gettimeofday",
    "timespec_get",
    "rdtsc*",
    "_rdtsc*",
    "globaltimer*",
    "__builtin_ia32_rdtsc*",
    "__builtin_readcyclecounter",
    /* what a build, a file or a CPU is called */
    "__builtin_cpu*",
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_constant_p",
    "__builtin_FILE",
    "__builtin_LINE",
    "__builtin_has*",
};

/* All other names that begin with two underscores, or with one and a capital letter, are the
 * compiler's or a library's. These are CUDA's and C's for kernels and their hosts. */
static const char *const usual[] = {
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__restrict*",
    "__forceinline__",
    "__noinline__",
    "__inline*",
    "__launch_bounds__",
    "__cluster_dims__",
    "__grid_constant__",
    "__align__",
    "__sync*",
    "__shfl_*",
    "__ballot_sync",
    "__any_sync",
    "__all_sync",
    "__match_*",
    "__activemask",
    "__reduce_*",
    "__ld*",
    "__st*",
    "__popc*",
    "__clz*",
    "__ffs*",
    "__brev*",
    "__byte_perm",
    "__funnelshift*",
    "__threadfence*",
    "__nanosleep",
    "__half*",
    "__float*",
    "__double*",
    "__int*",
    "__uint*",
    "__short*",
    "__ushort*",
    "__ll*",
    "__ull*",
    "__h*",
    "__low*",
    "__high*",
    "__f*",
    "__d*",
    "__exp*",
    "__log*",
    "__sin*",
    "__cos*",
    "__tanf",
    "__powf",
    "__saturatef",
    "__mul*",
    "__umul*",
    "__sad",
    "__usad",
    "__v*",
    "__nv_*",
    "__pipeline_*",
    "__cvta_*",
    "__m128*",
    "__m256*",
    "__m512*",
    "__mmask*",
    "__builtin_*",
    "__attribute*",
    "__func__",
    "__LINE__",
    "__FILE__",
    "__extension__",
    "_Alignas",
    "_Alignof",
    "_Static_assert",
    "_Generic",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Noreturn",
    "_Thread_local",
    "_Float*",
};

/* Text outside of literals, and in them. */
static const char *const signs[] = {"##", "%:", "?\?=", "<:", "include_next"};
static const char *const paths[] = {"/proc", "/sys/", "/dev/", "/etc/", "/tmp"};

struct found {
    char text[256];
};

static void add(struct found *found, const char *before, const char *word) {
    size_t length = strlen(found->text);
    char entry[128];
    const char *at = found->text;

    snprintf(entry, sizeof entry, "%s%.100s", before, word);
    while ((at = strstr(at, entry))) { /* once */
        const char *end = at + strlen(entry);

        if ((at == found->text || at[-1] == ' ') && (!*end || *end == ','))
            return;
        at = end;
    }
    if (length + strlen(entry) + 3 < sizeof found->text)
        sprintf(found->text + length, "%s%s", length ? ", " : "", entry);
}

static int is_like(const char *name, const char *pattern) {
    size_t length = strlen(pattern);

    return pattern[length - 1] == '*' ? !strncmp(name, pattern, length - 1)
                                      : !strcmp(name, pattern);
}

static int is_among(const char *name, const char *const *patterns, size_t count) {
    size_t i;

    for (i = 0; i < count && !is_like(name, patterns[i]); i++)
        ;
    return i < count;
}

#define AMONG(name, list) is_among(name, list, sizeof(list) / sizeof *(list))

static int is_odd(const char *name) {
    int reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));

    return AMONG(name, names) || !strncmp(name, "__has", 5) || (reserved && !AMONG(name, usual));
}

/* Without comments and what joins lines; literals are kept, or become "". Freed by the caller. */
static char *code_of(const char *source, int with_literals) {
    char *joined = strdup(source), *code = malloc(2 * strlen(source) + 2), *to = joined;
    const char *at;

    if (!joined || !code)
        abort();
    for (at = joined; *at; at++) {
        size_t blanks = *at == '\\' ? strspn(at + 1, " \t\r") : 0;

        if (*at == '\\' && at[1 + blanks] == '\n')
            at += 1 + blanks;
        else
            *to++ = *at;
    }
    *to = 0;
    for (at = joined, to = code; *at;) {
        int literal;
        const char *next = tokens_skip(at, &literal);

        if (next == at) {
            *to++ = *at++;
        } else if (literal && with_literals) {
            memcpy(to, at, (size_t)(next - at));
            to += next - at;
        } else {
            to += sprintf(to, literal ? "\"\"" : " ");
        }
        at = next > at ? next : at;
    }
    *to = 0;
    free(joined);
    return code;
}

static int has_name(const struct tokens *tokens, const char *name) {
    int i;

    for (i = 0; i < tokens->count && strcmp(tokens->list[i], name); i++)
        ;
    return i < tokens->count;
}

/* The names that the step's own files hold. */
static void read_course(const char *step, struct tokens *course) {
    static struct catalogue catalogue;
    const struct step *known;
    char path[128], *texts[2] = {NULL, NULL}, *both;

    if (!catalogue.count)
        catalogue_read(&catalogue, "steps");
    if ((known = catalogue_find(&catalogue, step))) {
        snprintf(path, sizeof path, "solutions/%s/%s", known->name, known->source);
        texts[0] = file_bytes(path, NULL);
        snprintf(path, sizeof path, "steps/%s/manifest", known->name);
        texts[1] = file_bytes(path, NULL);
    }
    if (asprintf(&both, "%s\n%s", texts[0] ? texts[0] : "", texts[1] ? texts[1] : "") < 0)
        abort();
    tokens_read(course, both);
    free(both);
    free(texts[0]);
    free(texts[1]);
}

/* Names on which a line of the preprocessor depends, but for those that the source defines. */
static void find_conditions(const char *code, const struct tokens *course, struct found *found) {
    const char *line, *end;

    for (line = code; *line; line = *end ? end + 1 : end) {
        const char *at = line + strspn(line, " \t");
        struct tokens words;
        char *text, defined[160];
        int i;

        end = line + strcspn(line, "\n");
        if (*at != '#')
            continue;
        text = strndup(at, (size_t)(end - at));
        tokens_read(&words, text);
        for (i = 1; i < words.count &&
                    (!strncmp(words.list[0], "if", 2) || !strncmp(words.list[0], "elif", 4));
             i++) {
            const char *name = words.list[i];
            char flag[160];
            int own = 0;
            const char *define = code;

            if ((!isalpha((unsigned char)*name) && *name != '_') || !strcmp(name, "defined"))
                continue;
            snprintf(defined, sizeof defined, "%.140s", name);
            snprintf(flag, sizeof flag, "D%.140s", name);
            while (!own && (define = strstr(define, "define"))) {
                define += strlen("define");
                define += strspn(define, " \t");
                own = !strncmp(define, defined, strlen(defined)) &&
                      !isalnum((unsigned char)define[strlen(defined)]) &&
                      define[strlen(defined)] != '_';
            }
            if (!own && !is_odd(name) && !has_name(course, name) && !has_name(course, flag))
                add(found, "#if ", name);
        }
        tokens_free(&words);
        free(text);
    }
}

static int find_words(const char *step, const char *source, struct found *found) {
    char *code = code_of(source, 0), *whole = code_of(source, 1);
    struct tokens tokens, course;
    size_t i;
    int k;

    read_course(step, &course);
    tokens_read(&tokens, code);
    for (k = 0; k < tokens.count; k++)
        if (is_odd(tokens.list[k]) && !has_name(&course, tokens.list[k]))
            add(found, "", tokens.list[k]);
    for (i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strstr(code, signs[i]))
            add(found, "", signs[i]);
    for (i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strstr(whole, paths[i]))
            add(found, "", paths[i]);
    find_conditions(code, &course, found);
    tokens_free(&tokens);
    tokens_free(&course);
    free(code);
    free(whole);
    return *found->text != 0;
}

enum outcome write_odd_words(const struct page *page, sqlite3 *book) {
    static const char *const headings[] = {"student", "step", "words"};
    sqlite3_stmt *entries = sql_query(
        book,
        "SELECT submission.student, entry.step, CAST(entry.source AS TEXT) FROM entry "
        "JOIN submission ON submission.id = entry.submission WHERE submission.student <> '*' "
        "ORDER BY submission.student, entry.step, entry.id",
        "");
    enum outcome outcome;
    int count = 0;

    page_heading(page, 2, "words", "Sources to read");
    while (query_row(entries, &outcome)) {
        char *student, *step;
        struct found found = {""};

        if (!find_words(query_text(entries, 1), query_text(entries, 2), &found))
            continue;
        if (!count++) {
            page_paragraph(page, "They hold words that a step has no use for, by which a "
                                 "program can tell how it is built, checked or run, and look "
                                 "better than it is. Nothing was taken off for them.");
            page_table(page, "Words of sources", 3, headings);
        }
        student = graded_text(entries, 0);
        step = graded_text(entries, 1);
        page_row(page, 3, headings, (const char *const[]){student, step, found.text});
        free(student);
        free(step);
    }
    if (count)
        page_table_end(page);
    else
        page_paragraph(page, "None.");
    return outcome;
}
