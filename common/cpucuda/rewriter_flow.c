/* Loops that may wait for another thread, returns from kernels, and unrolled loops. */
#include "rewriter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

/* The token `text` between open and close, outside brackets, or -1. */
static int find_between(const struct source *source, int open, int close, const char *text) {
    const struct token *tokens = source->tokens;
    int i;

    for (i = tokens[open].next; i >= 0 && i != close; i = tokens[i].next) {
        if (is(source, i, text))
            return i;
        if (is_opening(source, i) && tokens[i].partner >= 0)
            i = tokens[i].partner;
    }
    return -1;
}

/* The = of a condition that declares a variable, as in `while (node *next = f())`, or -1. */
static int declaration(const struct source *source, int before, int end) {
    const struct token *tokens = source->tokens;
    int i = find_between(source, before, end, "="), name, type;

    name = i < 0 ? -1 : tokens[i].previous;
    type = is_name(source, name) && name != tokens[before].next ? tokens[name].previous : -1;
    if (type == tokens[before].next)
        return is_name(source, type) ? i : -1;
    return is_name(source, type) || is_one_of(source, type, " * & > ") ? i : -1;
}

/* Puts a turn into the condition between two tokens. */
static void add_turn(struct source *source, int before, int end) {
    struct token *tokens = source->tokens;
    int value = declaration(source, before, end);

    if (value >= 0) {
        add(&tokens[value].after, " (cpucuda::turn(),");
        add(&tokens[end].before, ")");
    } else if (is(source, before, ";")) {
        add(&tokens[before].after,
            tokens[before].next == end ? " cpucuda::turn(), true" : " cpucuda::turn(),");
    } else {
        add(&tokens[before].after, "cpucuda::turn(), ");
    }
}

static void rewrite_loop(struct source *source, int word) {
    const struct token *tokens = source->tokens;
    int open = tokens[word].next, close, first, second;

    if (!is(source, open, "(") || (close = tokens[open].partner) < 0)
        return;
    if (is(source, word, "while")) {
        add_turn(source, open, close);
        return;
    }
    first = find_between(source, open, close, ";");
    second = first < 0 ? -1 : find_between(source, first, close, ";");
    if (second >= 0 && tokens[second].next == close)
        add_turn(source, first, second);
}

/* Whether { opens the body of a lambda. */
static bool is_lambda(const struct source *source, int open) {
    const struct token *tokens = source->tokens;
    int i = tokens[open].previous;

    while (is_name(source, i) || is_one_of(source, i, " -> :: * & < > "))
        i = tokens[i].previous;
    if (is(source, i, ")") && tokens[i].partner >= 0)
        i = tokens[tokens[i].partner].previous;
    return is(source, i, "]");
}

static void rewrite_returns(struct source *source, int open) {
    struct token *tokens = source->tokens;
    int i;

    for (i = tokens[open].next; i >= 0 && i != tokens[open].partner; i = tokens[i].next) {
        if (is(source, i, "{") && is_lambda(source, i) && tokens[i].partner >= 0)
            i = tokens[i].partner;
        else if (is(source, i, "return") && is(source, tokens[i].next, ";") && !tokens[i].after)
            add(&tokens[i].after, " cpucuda::leaves(CPUCUDA_HERE(return))");
    }
}

void rewrite_flow(struct source *source) {
    int i;

    for (i = 0; i < source->count; i++) {
        if (source->tokens[i].kind == NAME && is_one_of(source, i, " while for "))
            rewrite_loop(source, i);
        else if (source->tokens[i].wrapped)
            rewrite_returns(source, i);
    }
}

/* Adds the line and the form of one #pragma unroll: which names are macros, the compiler knows. */
static void add_unroll(char **list, const char *factor, int length, int line) {
    bool names = false;
    int i, start;

    for (i = 0; i < length; i++) {
        if (!isalnum((unsigned char)factor[i]) && factor[i] != '_')
            continue;
        for (start = i; i < length && (isalnum((unsigned char)factor[i]) || factor[i] == '_');)
            i++;
        if (isdigit((unsigned char)factor[start]))
            continue;
        add(list, "%sdefined(%.*s)", names ? " || " : "\n#if ", i - start, factor + start);
        names = true;
    }
    if (names)
        add(list, "\n%d, %d,\n#else\n%d, %d,\n#endif\n", line, UNROLL_BY_MACRO, line,
            UNROLL_BY_NAME);
    else
        add(list, "%d, %d, ", line, length ? UNROLL_BY_NUMBER : UNROLL_BY_NOTHING);
}

char *list_unrolled(const struct source *source) {
    char *list = NULL;
    int i;

    for (i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        const char *factor = token->text;
        int length = token->length;

        if (token->kind == LITERAL && !strncmp(factor, "\"unroll", 7) && i > 1 &&
            is(source, token->previous, "(") &&
            is(source, source->tokens[token->previous].previous, "_Pragma")) {
            factor += 7;
            length -= 8;
        } else if (token->kind != UNROLL) {
            continue;
        }
        for (; length && strchr(" \t\r", *factor); length--)
            factor++;
        while (length && strchr(" \t\r", factor[length - 1]))
            length--;
        add_unroll(&list, factor, length, token->line);
    }
    add(&list, "0");
    return list;
}
