/* cuda_to_cpp INPUT.cu >OUTPUT.cpp: CUDA C as C++ for a CPU, line by line the same. INPUT.h: a
 * header with kernels, the same without the list at the end, of which a program has one.
 *
 * A scan over tokens, no parser. What it writes and cpucuda's headers define:
 *
 *   k<<<g, b, s, t>>>(x)       (cpucuda::configure(CPUCUDA_HERE(k), g, b, s, t), k(x))
 *   __global__ void k(int n)   void k(int n)
 *   { body }                   { cpucuda::kernel([=]() mutable -> void { body }); }
 *   __shared__ T a[N], b;      typedef T cpucuda_type_a[N], cpucuda_type_b;
 *                              struct cpucuda_tag_a {};
 *                              auto &a = cpucuda::shared<cpucuda_type_a, cpucuda_tag_a>(
 *                                  CPUCUDA_HERE(a)); and the same for b
 *   extern __shared__ T a[];   typedef T cpucuda_type_a[];
 *                              auto &a = cpucuda::dynamic_shared<cpucuda_type_a>(CPUCUDA_HERE(a));
 *   __constant__ const T a     const T a
 *   while (c), for (a; c; )    while (cpucuda::turn(), c), for (a; cpucuda::turn(), c; )
 *   while (T *a = b)           while (T *a = (cpucuda::turn(), b))
 *   return; in a kernel        return cpucuda::leaves(CPUCUDA_HERE(return));
 *   the end                    const int cpucuda_unrolled[] = {44, 1, 0}; line and form of each
 *                              #pragma unroll
 *
 * As with nvcc, the C++ call of a kernel is the launch: it converts the arguments to the
 * parameters' types, deduces template arguments and chooses among overloads, once, on the host; the
 * closure then holds the parameters by value. No form that takes the kernel as an argument can do
 * all of that (NULL, {1, 2} and deduced templates are lost), and this one is a plain expression,
 * so it passes through macros, and a pointer to a kernel is a plain pointer.
 * CPUCUDA_HERE is a macro for the sake of the name: it sees it after the macros around it.
 *
 * The type of a shared variable is its declaration with typedef for __shared__, so it is exact,
 * with dependent sizes too. Its tag is a type of its own in every instance of a template and
 * carries the alignment that was asked. At file scope the typedef stays there, and the reference
 * goes into every __global__ and __device__ function that uses the name.
 *
 * A loop without a third part may wait for another thread: its turns are where the engine lets that
 * one run. A loop that counts is left as fast as it is. */
#define _GNU_SOURCE
#include "rewriter.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void stop_at(const struct source *source, int line, enum ending ending,
                       const char *format, ...) {
    va_list arguments;

    fprintf(stderr, "%s:%d: error: ", source->path, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(ending);
}

_Noreturn static void fail(const char *what, enum ending ending) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(ending);
}

void add_text(char **text, const char *format, ...) {
    char *more, *whole;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&more, format, arguments) < 0 ||
        asprintf(&whole, "%s%s", *text ? *text : "", more) < 0)
        fail("cuda_to_cpp", FAILED);
    va_end(arguments);
    free(more);
    free(*text);
    *text = whole;
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, got = 0, i;
    int line = 1;

    if (!file)
        fail(path, UNREADABLE);
    do {
        text = realloc(text, (room += 65536) + 1);
        if (!text)
            fail("cuda_to_cpp", FAILED);
        got += fread(text + got, 1, room - got, file);
    } while (got == room);
    if (ferror(file))
        fail(path, UNREADABLE);
    fclose(file);
    text[got] = 0;
    for (i = 0; i < got; i++) {
        if (!text[i])
            stop_at(&(struct source){.path = path}, line, NOT_TEXT,
                    "a NUL byte: this is not the text of a CUDA source");
        line += text[i] == '\n';
    }
    /* A byte order mark may only come first, and #line does. */
    if (!strncmp(text, "\xef\xbb\xbf", 3))
        memmove(text, text + 3, strlen(text + 3) + 1);
    return text;
}

static int ends_in(const char *path, const char *end) {
    size_t length = strlen(path), of_end = strlen(end);

    return length >= of_end && !strcmp(path + length - of_end, end);
}

static void print(const struct source *source, const char *unrolled) {
    const char *at = source->text, *c;
    int i;

    fputs("#line 1 \"", stdout);
    for (c = source->path; *c; c++) {
        if (*c == '"' || *c == '\\')
            putchar('\\');
        putchar(*c);
    }
    fputs("\"\n", stdout);
    for (i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];

        fwrite(at, 1, (size_t)(token->text - at), stdout);
        at = token->text + token->length;
        fputs(token->before ? token->before : "", stdout);
        if (token->instead)
            fputs(token->instead, stdout);
        else
            fwrite(token->text, 1, (size_t)token->length, stdout);
        fputs(token->after ? token->after : "", stdout);
    }
    fputs(at, stdout);
    if (!ends_in(source->path, ".h"))
        printf("\nextern \"C\" { extern const int cpucuda_unrolled[]; }\n"
               "const int cpucuda_unrolled[] = {%s};\n",
               unrolled);
    if (fflush(stdout) || ferror(stdout))
        fail("stdout", FAILED);
}

int main(int argc, char **argv) {
    struct source source = {0};
    char *unrolled;
    int i;

    if (argc != 2) {
        fprintf(stderr, "usage: cuda_to_cpp INPUT.cu >OUTPUT.cpp\n");
        return USAGE;
    }
    source.path = argv[1];
    source.text = read_text(source.path);
    read_tokens(&source);
    rewrite_launches(&source);
    rewrite_kernels(&source);
    rewrite_flow(&source);
    rewrite_shared(&source);
    unrolled = list_unrolled(&source);
    print(&source, unrolled);
    free(unrolled);
    for (i = 0; i < source.count; i++) {
        free(source.tokens[i].before);
        free(source.tokens[i].instead);
        free(source.tokens[i].after);
    }
    free(source.tokens);
    free(source.text);
    return WRITTEN;
}
