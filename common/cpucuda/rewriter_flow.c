/* Loops that may wait for another thread, returns from kernels, and unrolled loops. */
#include "rewriter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* Adds one #pragma unroll to the sum: the compiler knows what a macro stands for. A name that is no
 * macro is taken for more than 1, since a template's parameter has no value here. */
static void add_unrolled(char **sum, const char *argument, int length) {
    bool names = false;
    int i, start;

    for (i = 0; i < length; i++) {
        if (!isalnum((unsigned char)argument[i]) && argument[i] != '_')
            continue;
        for (start = i; i < length && (isalnum((unsigned char)argument[i]) || argument[i] == '_');)
            i++;
        if (isdigit((unsigned char)argument[start]))
            continue;
        add(sum, "%sdefined(%.*s)", names ? " && " : "\n#if ", i - start, argument + start);
        names = true;
    }
    add(sum, names ? "\n + ((%.*s) > 1)\n#else\n + 1\n#endif\n" : " + ((%.*s) > 1)", length,
        argument);
}

char *count_unrolled(const struct source *source) {
    char *sum = NULL;
    int i;

    add(&sum, "0");
    for (i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        const char *argument = token->text;
        int length = token->length;

        if (token->kind == LITERAL && !strncmp(argument, "\"unroll", 7) && i > 1 &&
            is(source, token->previous, "(") &&
            is(source, source->tokens[token->previous].previous, "_Pragma")) {
            argument += 7;
            length -= 8;
        } else if (token->kind != UNROLL) {
            continue;
        }
        for (; length && strchr(" \t\r", *argument); length--)
            argument++;
        while (length && strchr(" \t\r", argument[length - 1]))
            length--;
        if (length)
            add_unrolled(&sum, argument, length);
        else
            add(&sum, " + 1");
    }
    return sum;
}
