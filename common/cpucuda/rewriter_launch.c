/* Launches and kernels. */
#include "rewriter.h"

#include <stdlib.h>
#include <string.h>

/* The ) of if (x) is no end of an expression, that of f(x) and of (x) is. */
static bool ends_operand(const struct source *source, int i) {
    const struct token *tokens = source->tokens;

    if (token_is(source, i, ")"))
        return tokens[i].partner >= 0 &&
               !is_one_of(source, tokens[tokens[i].partner].previous, " if while for switch ");
    return is_name(source, i) || token_is(source, i, "]") ||
           (is_one_of(source, i, " > >> >>> ") && template_start(source, i) >= 0);
}

/* The first token of the expression before <<<, or -1: a name, qualified and with template
 * arguments or not, anything in parentheses, and members, elements and results of them. */
static int kernel_start(const struct source *source, int open) {
    const struct token *tokens = source->tokens;
    int i = tokens[open].previous, before;

    while (i >= 0) {
        if (is_one_of(source, i, " ) ] ")) {
            bool group = token_is(source, i, ")");

            i = tokens[i].partner;
            before = i < 0 ? -1 : tokens[i].previous;
            if (!ends_operand(source, before))
                return group ? i : -1;
            i = before;
            continue;
        }
        if (is_one_of(source, i, " > >> >>> ")) {
            i = template_start(source, i);
            i = i < 0 ? -1 : tokens[i].previous;
        }
        if (!is_name(source, i))
            return -1;
        before = tokens[i].previous;
        if (token_is(source, before, "template"))
            before = tokens[before].previous;
        if (token_is(source, before, "::") && !ends_operand(source, tokens[before].previous))
            return before;
        if (!is_one_of(source, before, " :: . -> ## "))
            return i;
        i = tokens[before].previous;
    }
    return -1;
}

/* A macro's name between <<< and >>> may stand for several arguments. */
static bool may_be_several(const struct source *source, int i) {
    int k;

    if (token_is(source, i, "__VA_ARGS__"))
        return true;
    for (k = 0; k < source->count; k++)
        if (source->tokens[k].kind == MACRO &&
            source->tokens[k].length == source->tokens[i].length &&
            !strncmp(source->tokens[k].text, source->tokens[i].text,
                     (size_t)source->tokens[k].length))
            return true;
    return false;
}

/* Finds the >>> of a launch and counts its arguments. */
static int launch_end(const struct source *source, int open) {
    const struct token *tokens = source->tokens;
    int i, count = 0, line = tokens[open].line;
    bool empty = true, several = false;

    for (i = tokens[open].next;; i = tokens[i].next) {
        if (i < 0 || is_one_of(source, i, " ; <<< ) ] } "))
            stop_at(source, line, LAUNCH,
                    "<<< without >>>; a launch is kernel<<<grid, block>>>(arguments)");
        if (token_is(source, i, ">>>") || token_is(source, i, ",")) {
            if (empty && !(token_is(source, i, ">>>") && count == 0))
                stop_at(source, line, ARGUMENTS, "an argument between <<< and >>> is empty");
            count += !empty;
            empty = true;
            if (token_is(source, i, ">>>"))
                break;
            continue;
        }
        empty = false;
        several |= may_be_several(source, i);
        if (is_opening(source, i)) {
            if (tokens[i].partner < 0)
                stop_at(source, tokens[i].line, LAUNCH, "%.1s in a launch is never closed",
                        tokens[i].text);
            i = tokens[i].partner;
        } else if (token_is(source, i, "<") && template_end(source, i) >= 0) {
            i = template_end(source, i);
        }
    }
    if (count > 4 || (count < 2 && !several))
        stop_at(source, line, ARGUMENTS,
                "%d argument%s between <<< and >>>; there are two to four: grid, block, bytes of "
                "shared memory, stream",
                count, count == 1 ? "" : "s");
    return i;
}

/* The kernel's tokens on one line. */
static char *copy_flat(const struct source *source, int first, int end) {
    char *text = NULL;
    int i;

    for (i = first; i != end; i = source->tokens[i].next) {
        const struct token *token = &source->tokens[i], *next = &source->tokens[token->next];
        bool apart = token->next != end && token->text + token->length != next->text;

        add_text(&text, "%.*s%s", token->length, token->text, apart ? " " : "");
    }
    return text;
}

static void rewrite_launch(struct source *source, int open) {
    struct token *tokens = source->tokens;
    int first = kernel_start(source, open), close, list;
    char *kernel;

    if (first < 0)
        stop_at(source, tokens[open].line, LAUNCH,
                "no kernel before <<<; a launch is kernel<<<grid, block>>>(arguments)");
    close = launch_end(source, open);
    list = tokens[close].next;
    if (!token_is(source, list, "("))
        stop_at(source, tokens[close].line, LAUNCH,
                "no (arguments) after >>>; in a macro they belong into the same macro");
    if (tokens[list].partner < 0)
        stop_at(source, tokens[list].line, LAUNCH, "the ( after >>> is never closed");
    kernel = copy_flat(source, first, open);
    add_text(&tokens[first].before, "(cpucuda::configure(CPUCUDA_HERE(");
    add_text(&tokens[open].instead, "), ");
    add_text(&tokens[close].instead, "), %s", kernel);
    add_text(&tokens[tokens[list].partner].after, ")");
    free(kernel);
}

void rewrite_launches(struct source *source) {
    int i;

    for (i = 0; i < source->count; i++)
        if (token_is(source, i, "<<<"))
            rewrite_launch(source, i);
    for (i = 0; i < source->count; i++)
        if (token_is(source, i, ">>>") && !source->tokens[i].instead &&
            template_start(source, i) < 0)
            stop_at(source, source->tokens[i].line, LAUNCH,
                    ">>> without <<<; a launch is kernel<<<grid, block>>>(arguments)");
}

/* Has a kernel tell its parameters, by their names, if it has any. `brace` opens its body. */
static void name_parameters(struct source *source, int brace) {
    struct token *tokens = source->tokens;
    int close = tokens[brace].previous, i, name = -1;
    const char *comma = " CPUCUDA_ARGUMENTS(";

    if (!token_is(source, close, ")") || tokens[close].partner < 0)
        return;
    for (i = tokens[tokens[close].partner].next; i >= 0; i = tokens[i].next) {
        int end = token_is(source, i, "<") ? template_end(source, i) : -1;

        if (i == close || token_is(source, i, ",")) {
            if (name >= 0)
                add_text(&tokens[brace].after, "%s%.*s", comma, tokens[name].length,
                         tokens[name].text);
            comma = name >= 0 ? ", " : comma;
            name = -1;
            if (i == close)
                break;
        } else if (end >= 0) {
            i = end;
        } else if (is_name(source, i)) {
            name = i;
        } else if (is_opening(source, i) && tokens[i].partner >= 0) {
            i = tokens[i].partner;
        }
    }
    if (*comma == ',')
        add_text(&tokens[brace].after, ");");
}

/* The ; or { behind a kernel's parameters, or -1. */
static int parameters_end(const struct source *source, int global) {
    const struct token *tokens = source->tokens;
    int i = tokens[global].next;

    while (i >= 0 && !is_one_of(source, i, " ; { "))
        i = is_opening(source, i) && tokens[i].partner >= 0 ? tokens[i].partner : tokens[i].next;
    return i;
}

static void rewrite_kernel(struct source *source, int global) {
    struct token *tokens = source->tokens;
    int i = parameters_end(source, global);

    if (token_is(source, i, ";"))
        return;
    if (i < 0 && tokens[global].region)
        stop_at(
            source, tokens[global].line, NO_BODY,
            "__global__ in a macro without the kernel's body; write __global__ before the kernel");
    if (i < 0)
        stop_at(source, tokens[global].line, NO_BODY, "__global__ without a kernel's { after it");
    if (tokens[i].partner < 0)
        stop_at(source, tokens[i].line, NO_BODY, "the { of a kernel is never closed");
    if (tokens[i].wrapped)
        return;
    tokens[i].wrapped = true;
    name_parameters(source, i);
    add_text(&tokens[i].after, " cpucuda::kernel([=]() mutable -> void {");
    if (tokens[tokens[i].partner].partner == i) /* not so for the other branches of an #if */
        add_text(&tokens[tokens[i].partner].before, "}); ");
}

/* Marks the name that a __global__ declares; in a macro it may be a parameter of that. */
static void mark_name(struct source *source, int global) {
    struct token *tokens = source->tokens;
    int end = parameters_end(source, global), i = end < 0 ? -1 : tokens[end].previous;

    if (tokens[global].region || !token_is(source, i, ")") || tokens[i].partner < 0)
        return;
    i = tokens[tokens[i].partner].previous;
    if (is_one_of(source, i, " > >> >>> ")) {
        i = template_start(source, i);
        i = i < 0 ? -1 : tokens[i].previous;
    }
    if (is_name(source, i))
        tokens[i].of_kernel = true;
}

/* Whether the name begins a call that is no launch, where only an expression can begin. */
static bool is_call(const struct source *source, int name) {
    int next = source->tokens[name].next, previous = source->tokens[name].previous;

    if (token_is(source, next, "<") && template_end(source, next) >= 0)
        next = source->tokens[template_end(source, next)].next;
    return !source->tokens[name].region && token_is(source, next, "(") &&
           is_one_of(source, previous, " ; { } ( ) else do return ");
}

/* nvcc refuses it, too. What has a kernel's name and is none may be called: a name is left alone if
 * the file defines it as a macro, too, or declares it behind another type's. */
static void refuse_calls(const struct source *source, int kernel) {
    const struct token *tokens = source->tokens;
    int call = -1, i;

    for (i = 0; i < source->count; i++) {
        if (tokens[i].of_kernel || tokens[i].length != tokens[kernel].length ||
            strncmp(tokens[i].text, tokens[kernel].text, (size_t)tokens[i].length))
            continue;
        if (tokens[i].kind == MACRO || is_name(source, tokens[i].previous))
            return;
        if (call < 0 && is_call(source, i))
            call = i;
    }
    if (call >= 0)
        stop_at(source, tokens[call].line, CALL,
                "%.*s is a kernel, but it is called like a function; a launch is "
                "%.*s<<<grid, block>>>(arguments); a function that a kernel calls is __device__",
                tokens[call].length, tokens[call].text, tokens[call].length, tokens[call].text);
}

/* __noinline__ is no macro: headers of g++ 13's library have an attribute of that name. */
void rewrite_kernels(struct source *source) {
    int i;

    for (i = 0; i < source->count; i++)
        if (source->tokens[i].kind == NAME && token_is(source, i, "__global__"))
            rewrite_kernel(source, i);
        else if (source->tokens[i].kind == NAME && token_is(source, i, "__noinline__") &&
                 !token_is(source, source->tokens[i].previous, "("))
            add_text(&source->tokens[i].instead, "__attribute__((noinline))");
    for (i = 0; i < source->count; i++)
        if (token_is(source, i, "__global__"))
            mark_name(source, i);
    for (i = 0; i < source->count; i++)
        if (source->tokens[i].of_kernel)
            refuse_calls(source, i);
}
