/* The tokens of a CUDA source, and the text that is put around them. */
#ifndef REWRITER_H
#define REWRITER_H

#include <stdbool.h>

/* How build/cuda_to_cpp ends. On any but WRITTEN stdout stays empty. */
enum ending {
    WRITTEN = 0,
    FAILED = 1,        /* no memory, or stdout cannot be written */
    USAGE = 3,         /* not called with one file */
    UNREADABLE = 6,    /* the file cannot be read */
    NOT_TEXT = 50,     /* a NUL byte in it */
    UNTERMINATED = 51, /* a comment or raw string without its end */
    LAUNCH = 52,       /* a launch that is not kernel<<<grid, block>>>(arguments) */
    ARGUMENTS = 53,    /* not 2, 3 or 4 arguments between <<< and >>>, or an empty one */
    SHARED = 54,       /* a __shared__ declaration without name or end, or with a value */
    NO_BODY = 55,      /* a __global__ whose body is not found */
    CALL = 56,         /* a kernel is called without <<<grid, block>>> */
};

enum kind { NAME, LITERAL, PUNCTUATION, MACRO, CONDITIONAL, UNROLL };

struct token {
    enum kind kind; /* MACRO: the name after #define; CONDITIONAL: if, ifdef, else, endif, ...;
                       UNROLL: what follows #pragma unroll */
    const char *text;
    int length, line;
    int region;         /* 0: code; otherwise the body of one #define */
    int previous, next; /* the neighbours in the region, or -1; the last three kinds have none */
    int partner;        /* of a bracket, or -1 */
    bool wrapped;       /* { of a kernel that has been rewritten */
    bool of_kernel;     /* a name that a __global__ declares */
    char *before, *instead, *after; /* NULL: nothing, itself, nothing */
};

struct source {
    const char *path;
    char *text;
    struct token *tokens;
    int count;
};

/* Finds tokens and brackets. Comments, directives but #define, and #if 0 hold no tokens. */
void read_tokens(struct source *source);

/* Whether token i (-1: none) is that text. */
bool token_is(const struct source *source, int i, const char *text);

/* Whether it is one of those words, separated and enclosed by spaces. */
bool is_one_of(const struct source *source, int i, const char *words);

/* Whether it can name something: no literal and none of C++'s statement keywords. */
bool is_name(const struct source *source, int i);

bool is_opening(const struct source *source, int i);
bool is_closing(const struct source *source, int i);

/* The token that closes the template arguments opened by the < at i, or -1 if it opens none. */
int template_end(const struct source *source, int i);

/* The < of the template arguments that are closed by the >, >> or >>> at i, or -1. */
int template_start(const struct source *source, int i);

/* Appends to a token's text before, instead or after. */
__attribute__((format(printf, 2, 3))) void add_text(char **text, const char *format, ...);

/* Says PATH:LINE: error: MESSAGE on stderr and ends the program. */
__attribute__((format(printf, 4, 5))) _Noreturn void
stop_at(const struct source *source, int line, enum ending ending, const char *format, ...);

/* The passes over the tokens, in this order. */
void rewrite_launches(struct source *source);
void rewrite_kernels(struct source *source);
void rewrite_flow(struct source *source);
void rewrite_shared(struct source *source);

/* The line of each #pragma unroll and its unroll_factor, then 0: an array's values, to be freed. */
char *list_unrolled(const struct source *source);

#endif
