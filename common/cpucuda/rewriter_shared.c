/* Declarations of __shared__ and __constant__ variables. */
#include "rewriter.h"

#include <stdlib.h>
#include <string.h>

#define STORAGE   " __shared__ extern static inline __device__ "
#define ALIGNMENT " alignas __align__ __attribute__ "
#define BEFORE    " volatile const unsigned signed char short int long float double bool "

/* A declared name: tokens first to last, more than one where a macro pastes it. */
struct name {
    int first, last;
    bool dynamic;
};

static const char *paste(const struct source *source, const struct name *name) {
    return source->tokens[name->first].region ? "##" : "";
}

/* The reference that gives a shared variable its name. */
static char *reference(const struct source *source, const struct name *name) {
    const struct token *tokens = source->tokens;
    const char *glue = paste(source, name), *text = tokens[name->first].text;
    int length = (int)(tokens[name->last].text + tokens[name->last].length - text);
    char *line = NULL;

    if (name->dynamic)
        add_text(&line, "auto &%.*s = cpucuda::dynamic_shared<cpucuda_type_%s%.*s>", length, text,
                 glue, length, text);
    else
        add_text(&line, "auto &%.*s = cpucuda::shared<cpucuda_type_%s%.*s, cpucuda_tag_%s%.*s>",
                 length, text, glue, length, text, glue, length, text);
    add_text(&line, "(CPUCUDA_HERE(%.*s))", length, text);
    return line;
}

/* The braces of the function's body around token i, or -1 at file scope. A macro's body counts as
 * a function's. */
static int function_around(const struct source *source, int i) {
    const struct token *tokens = source->tokens;
    int k, before;

    for (k = 0; k < i; k++) {
        if (tokens[k].region || tokens[k].partner < i || !token_is(source, k, "{"))
            continue;
        before = tokens[k].previous;
        while (is_one_of(source, before, " const noexcept override final "))
            before = tokens[before].previous;
        if (token_is(source, before, ")"))
            return k;
    }
    return -1;
}

/* Puts the reference of a variable at file scope into one function if that uses the name. */
static void refer_in(struct source *source, const struct name *name, int open) {
    struct token *tokens = source->tokens;
    int close = tokens[open].partner, i;
    bool device = false, used = false;
    char *line;

    for (i = tokens[open].previous; i >= 0 && !is_one_of(source, i, " ; { } ");
         i = tokens[i].previous) {
        device |= is_one_of(source, i, " __global__ __device__ ");
        if (tokens[i].length == tokens[name->first].length &&
            !strncmp(tokens[i].text, tokens[name->first].text, (size_t)tokens[i].length))
            return; /* a parameter hides the variable */
    }
    for (i = tokens[open].next; i >= 0 && i != close; i = tokens[i].next)
        used |= tokens[i].kind == NAME && tokens[i].length == tokens[name->first].length &&
                !strncmp(tokens[i].text, tokens[name->first].text, (size_t)tokens[i].length) &&
                !is_one_of(source, tokens[i].previous, " . -> ");
    if (!device || !used)
        return;
    line = reference(source, name);
    add_text(&tokens[open].after, " %s; {", line); /* braces: a local of that name may hide it */
    free(line);
    line = tokens[close].before;
    tokens[close].before = NULL;
    add_text(&tokens[close].before, "} %s", line ? line : "");
    free(line);
}

static void refer_in_functions(struct source *source, const struct name *name) {
    int i;

    for (i = name->last + 1; i < source->count; i++)
        if (!source->tokens[i].region && token_is(source, i, "{") &&
            source->tokens[i].partner > i && function_around(source, i) < 0 &&
            function_around(source, i + 1) == i)
            refer_in(source, name, i);
}

static int first_of(const struct source *source, int shared) {
    const struct token *tokens = source->tokens;
    int i = shared, before;

    for (;;) {
        before = tokens[i].previous;
        if (token_is(source, before, ")") && tokens[before].partner >= 0 &&
            is_one_of(source, tokens[tokens[before].partner].previous, ALIGNMENT))
            before = tokens[tokens[before].partner].previous;
        else if (!is_one_of(source, before, STORAGE) && !is_one_of(source, before, BEFORE))
            return i;
        i = before;
    }
}

/* One past the declaration's last token but the ;, or -1 where the macro's body ends. */
static int end_of(const struct source *source, int first) {
    const struct token *tokens = source->tokens;
    int i = first;
    bool broken = false;

    while (i >= 0 && !token_is(source, i, ";") && !broken) {
        if (is_opening(source, i) && tokens[i].partner >= 0)
            i = tokens[i].partner;
        else
            broken = is_opening(source, i) || is_closing(source, i);
        i = tokens[i].next;
    }
    if (broken || (i < 0 && !tokens[first].region))
        stop_at(source, tokens[first].line, SHARED,
                "a __shared__ declaration without ; at its end");
    return i;
}

/* Takes out storage class and alignment; returns what aligns, "" if nothing. */
static char *take_out(struct source *source, int first, int end) {
    struct token *tokens = source->tokens;
    char *alignment = NULL, *word = NULL;
    int i, k, close;

    add_text(&word, "typedef");
    add_text(&alignment, "%s", "");
    for (i = first; i >= 0 && i != end; i = tokens[i].next) {
        if (is_one_of(source, i, STORAGE)) {
            tokens[i].instead = word;
            word = NULL;
            add_text(&word, "%s", "");
        } else if (is_one_of(source, i, ALIGNMENT) && token_is(source, tokens[i].next, "(")) {
            close = tokens[tokens[i].next].partner;
            add_text(&alignment, " ");
            for (k = i;; k = tokens[k].next) {
                add_text(&alignment, "%.*s", tokens[k].length, tokens[k].text);
                add_text(&tokens[k].instead, "%s", "");
                if (k == close)
                    break;
            }
            i = close;
        } else if (is_opening(source, i)) {
            i = tokens[i].partner;
        }
    }
    free(word);
    return alignment;
}

/* Whether { opens the members of a type, named or not. */
static bool is_type_body(const struct source *source, int i) {
    static const char keys[] = " struct class union enum ";
    int before = source->tokens[i].previous;

    return is_one_of(source, before, keys) ||
           (is_name(source, before) && is_one_of(source, source->tokens[before].previous, keys));
}

/* Finds the name among the declarator's tokens from *at to the next comma or the end, and goes
 * there: the last name before [, outside template arguments, or the first one in (*name). */
static struct name find_name(const struct source *source, int *at, int end, bool typed) {
    const struct token *tokens = source->tokens;
    struct name name = {-1, -1, false};
    int i, line = tokens[*at].line, words = 0;
    bool found = false;

    for (i = *at; i >= 0 && i != end && !token_is(source, i, ","); i = tokens[i].next) {
        bool value = token_is(source, i, "=");

        if (tokens[i].instead)
            continue;
        if (token_is(source, i, "<") && template_end(source, i) >= 0) {
            i = template_end(source, i);
        } else if (is_opening(source, i)) {
            found |= token_is(source, i, "[");
            if (token_is(source, i, "(") && is_one_of(source, tokens[i].next, " * & ")) {
                name.first = tokens[i].next;
                while (name.first != tokens[i].partner &&
                       (tokens[name.first].kind != NAME ||
                        is_one_of(source, name.first, " const volatile ")))
                    name.first = tokens[name.first].next;
                if (name.first == tokens[i].partner)
                    name.first = -1;
                found = true;
                words++;
            } else if (token_is(source, i, "{") && is_type_body(source, i)) {
                name.first = -1;
                words = 1;
            } else if (!token_is(source, i, "[")) { /* decltype(x) name, but not name(x) */
                int after = tokens[tokens[i].partner].next;

                value = found || after == end || token_is(source, after, ",");
            }
            i = tokens[i].partner;
        } else if (!found && tokens[i].kind == NAME &&
                   !is_one_of(source, i, " const volatile __restrict__ ")) {
            if (!is_one_of(source, tokens[i].previous, " ## :: "))
                words++;
            if (!token_is(source, tokens[i].previous, "##"))
                name.first = i;
        }
        if (value)
            stop_at(source, line, SHARED,
                    "a __shared__ variable with a value; CUDA starts it with none, so let a thread "
                    "store one and then call __syncthreads()");
    }
    *at = i;
    if (name.first < 0 || words < 1 + typed)
        stop_at(source, line, SHARED, "a __shared__ declaration without %s",
                words ? "a type and a name; in a macro it must be whole" : "a name");
    name.last = name.first;
    while (token_is(source, i = tokens[name.last].next, "##") && tokens[i].next >= 0)
        name.last = tokens[i].next;
    return name;
}

static void rewrite_declaration(struct source *source, int shared) {
    struct token *tokens = source->tokens;
    int first = first_of(source, shared), end = end_of(source, first), at = first, last = shared;
    bool dynamic = false, local = tokens[shared].region || function_around(source, shared) >= 0;
    char *alignment = take_out(source, first, end), *text = NULL, *line;
    bool typed = true;

    while (at >= 0 && at != end) {
        dynamic |= token_is(source, at, "extern");
        last = at;
        at = tokens[at].next;
    }
    for (at = first; at >= 0; at = tokens[at].next) {
        struct name name = find_name(source, &at, end, typed);
        const char *glue = paste(source, &name);

        typed = false;
        name.dynamic = dynamic;
        add_text(&tokens[name.first].before, "cpucuda_type_%s", glue);
        if (!dynamic)
            add_text(
                &text, " struct%s cpucuda_tag_%s%.*s {};", alignment, glue,
                (int)(tokens[name.last].text + tokens[name.last].length - tokens[name.first].text),
                tokens[name.first].text);
        if (local) {
            line = reference(source, &name);
            add_text(&text, " %s;", line);
            free(line);
        } else {
            refer_in_functions(source, &name);
        }
        if (at == end)
            break;
    }
    free(alignment);
    if (!text)
        return;
    if (end >= 0) {
        add_text(&tokens[end].after, "%s", text);
    } else { /* the ; comes where the macro is used */
        text[strlen(text) - 1] = 0;
        add_text(&tokens[last].after, ";%s", text);
    }
    free(text);
}

/* Whether the declaration around token i has the word const before its name's brackets or value. */
static bool says_const(const struct source *source, int i) {
    const struct token *tokens = source->tokens;

    while (tokens[i].previous >= 0 && !is_one_of(source, tokens[i].previous, " ; { } "))
        i = tokens[i].previous;
    for (; i >= 0 && !is_one_of(source, i, " ; = [ ( { "); i = tokens[i].next)
        if (is_one_of(source, i, " const constexpr "))
            return true;
    return false;
}

/* Variables with __constant__ get a section of their own in the trace build (cpucuda/engine.h),
 * which constants of the compiler's must not share. */
static void rewrite_constant(struct source *source, int i) {
    if (says_const(source, i))
        add_text(&source->tokens[i].instead, "%s", "");
}

void rewrite_shared(struct source *source) {
    int i;

    for (i = 0; i < source->count; i++)
        if (source->tokens[i].kind == NAME && token_is(source, i, "__shared__") &&
            !source->tokens[i].instead)
            rewrite_declaration(source, i);
        else if (source->tokens[i].kind == NAME && token_is(source, i, "__constant__"))
            rewrite_constant(source, i);
}
