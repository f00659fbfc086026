/* Loops that may wait for another thread, returns from kernels, and unrolled loops. */
#include "rewriter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/counters.h"

/* The token `text` between open and close, outside brackets, or -1. */
static int find_between(const struct source *source, int open, int close, const char *text) {
    const struct token *tokens = source->tokens;
    int i;

    for (i = tokens[open].next; i >= 0 && i != close; i = tokens[i].next) {
        if (token_is(source, i, text))
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
        add_text(&tokens[value].after, " (cpucuda::turn(),");
        add_text(&tokens[end].before, ")");
    } else if (token_is(source, before, ";")) {
        add_text(&tokens[before].after,
                 tokens[before].next == end ? " cpucuda::turn(), true" : " cpucuda::turn(),");
    } else {
        add_text(&tokens[before].after, "cpucuda::turn(), ");
    }
}

static void rewrite_loop(struct source *source, int word) {
    const struct token *tokens = source->tokens;
    int open = tokens[word].next, close, first, second;

    if (!token_is(source, open, "(") || (close = tokens[open].partner) < 0)
        return;
    if (token_is(source, word, "while")) {
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
    if (token_is(source, i, ")") && tokens[i].partner >= 0)
        i = tokens[tokens[i].partner].previous;
    return token_is(source, i, "]");
}

static void rewrite_returns(struct source *source, int open) {
    struct token *tokens = source->tokens;
    int i;

    for (i = tokens[open].next; i >= 0 && i != tokens[open].partner; i = tokens[i].next) {
        if (token_is(source, i, "{") && is_lambda(source, i) && tokens[i].partner >= 0)
            i = tokens[i].partner;
        else if (token_is(source, i, "return") && token_is(source, tokens[i].next, ";") &&
                 !tokens[i].after)
            add_text(&tokens[i].after, " cpucuda::leaves(CPUCUDA_HERE(return))");
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

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether token i is declared there as a constant: with const or constexpr, as a template's
 * parameter, or in an enum. A kernel's parameter is none, nor is what has a fraction. */
static bool is_constant_here(const struct source *source, int i) {
    const struct token *tokens = source->tokens;
    bool constant = false, fraction = false;
    int k = tokens[i].previous;

    if (!is_name(source, k) && !is_one_of(source, k, " , { > "))
        return false; /* it is used there */
    for (; k >= 0 && !is_one_of(source, k, " ; { } ( "); k = tokens[k].previous) {
        constant |= is_one_of(source, k, " const constexpr template ");
        fraction |= is_one_of(source, k, " float double ");
        if (token_is(source, k, ")") && tokens[k].partner >= 0)
            k = tokens[k].partner;
    }
    if (token_is(source, k, "{"))
        for (k = tokens[k].previous; is_name(source, k) || token_is(source, k, ":");
             k = tokens[k].previous)
            constant |= token_is(source, k, "enum");
    else
        constant &= !token_is(source, k, "(");
    return constant && !fraction;
}

static bool is_named(const struct source *source, int i, const char *name, int length) {
    return source->tokens[i].kind == NAME && source->tokens[i].length == length &&
           !strncmp(source->tokens[i].text, name, (size_t)length);
}

/* Whether token k names a variable: it is declared behind a type, and nowhere as a constant. Of
 * other names the source says nothing; they may be macros. */
static bool is_variable(const struct source *source, int k) {
    bool variable = false;
    int i;

    for (i = 0; i < source->count; i++)
        if (is_named(source, i, source->tokens[k].text, source->tokens[k].length)) {
            if (is_constant_here(source, i))
                return false;
            variable |= is_name(source, source->tokens[i].previous);
        }
    return variable;
}

/* Whether the constant that token i declares begins with what only the running program knows. */
static bool is_computed(const struct source *source, int i) {
    int k, depth = 0;

    for (k = source->tokens[i].next; k >= 0 && depth >= 0; k = source->tokens[k].next) {
        if (token_is(source, k, ";") || (!depth && is_one_of(source, k, " , > ")))
            break;
        depth += is_one_of(source, k, " ( { ") - is_one_of(source, k, " ) } ");
        if (is_one_of(source, k, " . -> [ ") || (is_name(source, k) && is_variable(source, k)))
            return true;
    }
    return false;
}

static bool declares_constant(const struct source *source, const char *name, int length) {
    int i;

    for (i = 0; i < source->count; i++)
        if (is_named(source, i, name, length) && is_constant_here(source, i) &&
            !is_computed(source, i))
            return true;
    return false;
}

/* Whether the text is an expression of numbers and names, by the order of its operands and
 * operators and by its brackets. */
static bool is_expression(const char *text, int length) {
    bool operand = false; /* the last thing was one, or a closing bracket */
    int depth = 0, i, start;

    for (i = 0; i < length; i++) {
        if (isspace((unsigned char)text[i]))
            continue;
        if (is_of_word(text[i])) {
            for (start = i; i + 1 < length && is_of_word(text[i + 1]);)
                i++;
            if (operand && (start < 2 || strncmp(text + start - 2, "::", 2)))
                return false;
            operand = true;
        } else if (text[i] == '(') {
            depth++;
            operand = false;
        } else if (text[i] == ')') {
            if (!operand || --depth < 0)
                return false;
        } else if (strchr("+-~!", text[i])) {
            operand = false;
        } else if (!strchr("*/%<>&|^?:=", text[i])) {
            return false;
        } else {
            if (!operand && !strchr("<>&|=:", text[i]))
                return false;
            operand = false;
        }
    }
    return operand && !depth;
}

/* Takes casts to a type of integers and empty brackets, those of a call, out of the text. */
static void drop_casts(char *text) {
    static const char types[] = " static_cast int unsigned signed long short char size_t ";
    char *at, *end, *open = NULL, word[16];

    for (at = text; *at; at = end) {
        for (end = at; is_of_word(*end);)
            end++;
        if (end - at > 0 && end - at < 13) {
            snprintf(word, sizeof word, " %.*s ", (int)(end - at), at);
            if (strstr(types, word))
                memset(at, ' ', (size_t)(end - at));
            else
                open = NULL;
        } else if (strchr("(<", *at)) {
            open = at;
        } else if (open && *at == (*open == '(' ? ')' : '>')) {
            *at = *open = ' ';
        } else if (*at != ' ') {
            open = NULL;
        }
        end += end == at;
    }
}

/* Adds the line and the form of one #pragma unroll: which names are macros, the compiler knows. By
 * what nvcc 13.0 does: it takes an expression of integer constants and ignores, with a warning,
 * characters behind it and, which is not looked at here, a value of 0 or less; a macro, a variable
 * or a fraction ends the compilation. */
static void add_unroll(const struct source *source, char **list, const char *argument, int length,
                       int line) {
    char *factor = strndup(argument, (size_t)length);
    enum unroll_factor form = UNROLL_BY_NAME;
    bool names = false;
    int i, start;

    if (!factor)
        return;
    drop_casts(factor);
    if (length && !is_expression(factor, length))
        form = UNROLL_BY_NO_CONSTANT;
    for (i = 0; i < length; i++) {
        if (!is_of_word(factor[i]))
            continue;
        for (start = i; i < length && is_of_word(factor[i]);)
            i++;
        if (isdigit((unsigned char)factor[start]))
            continue;
        add_text(list, "%sdefined(%.*s)", names ? " || " : "\n#if ", i - start, factor + start);
        names = true;
        if (strncmp(factor + i, "::", 2) && !declares_constant(source, factor + start, i - start))
            form = UNROLL_BY_NO_CONSTANT;
    }
    if (names)
        add_text(list, "\n%d, %d,\n#else\n%d, %d,\n#endif\n", line, UNROLL_BY_MACRO, line, form);
    else
        add_text(list, "%d, %d, ", line,
                 form != UNROLL_BY_NAME ? form
                 : length               ? UNROLL_BY_NUMBER
                                        : UNROLL_BY_NOTHING);
    free(factor);
}

char *list_unrolled(const struct source *source) {
    char *list = NULL;
    int i;

    for (i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];
        const char *factor = token->text;
        int length = token->length;

        if (token->kind == LITERAL && !strncmp(factor, "\"unroll", 7) && i > 1 &&
            token_is(source, token->previous, "(") &&
            token_is(source, source->tokens[token->previous].previous, "_Pragma")) {
            factor += 7;
            length -= 8;
        } else if (token->kind != UNROLL) {
            continue;
        }
        for (; length && strchr(" \t\r", *factor); length--)
            factor++;
        while (length && strchr(" \t\r", factor[length - 1]))
            length--;
        add_unroll(source, &list, factor, length, token->line);
    }
    add_text(&list, "0");
    return list;
}
