#include "tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add(struct tokens *tokens, char **end, const char *at, size_t length) {
    tokens->list[tokens->count++] = *end;
    memcpy(*end, at, length);
    (*end)[length] = 0;
    *end += length + 1;
}

const char *tokens_skip(const char *at, int *literal) {
    const char *end = at;

    *literal = 0;
    if (!strncmp(at, "//", 2))
        return at + strcspn(at, "\n");
    if (!strncmp(at, "/*", 2)) {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        end += *end == '\\' && end[1];
    *literal = 1;
    return *end == *at ? end + 1 : end;
}

void tokens_read(struct tokens *tokens, const char *source) {
    size_t length = strlen(source);
    char *end = tokens->text = malloc(2 * length + 8);
    const char *at = source;

    tokens->list = malloc((length + 1) * sizeof *tokens->list);
    tokens->count = 0;
    if (!tokens->text || !tokens->list)
        abort();
    while (*at) {
        int literal;
        const char *next = tokens_skip(at, &literal);

        if (literal) {
            add(tokens, &end, "\"\"", 2);
        } else if (next == at && (isalnum((unsigned char)*at) || *at == '_')) {
            int number = isdigit((unsigned char)*at) != 0;

            while (isalnum((unsigned char)*next) || *next == '_' || (number && *next == '.'))
                next++;
            add(tokens, &end, at, (size_t)(next - at));
        } else if (next == at) {
            if (ispunct((unsigned char)*at) && !strchr("#\\", *at))
                add(tokens, &end, at, 1);
            next++;
        }
        at = next;
    }
}

void tokens_free(struct tokens *tokens) {
    free(tokens->text);
    free(tokens->list);
}

static int is_name(const char *token) {
    return isalpha((unsigned char)*token) || *token == '_';
}

static int is(const struct tokens *tokens, int at, const char *token) {
    return at >= 0 && at < tokens->count && !strcmp(tokens->list[at], token);
}

/* Takes out `(void)name;`, and semicolons behind one that ends a statement. */
static void drop_idle(struct tokens *tokens) {
    int count = 0, i;

    for (i = 0; i < tokens->count; i++) {
        if (is(tokens, i, "(") && is(tokens, i + 1, "void") && is(tokens, i + 2, ")") &&
            i + 3 < tokens->count && is_name(tokens->list[i + 3]) &&
            (is(tokens, i + 4, ",") || is(tokens, i + 4, ";")))
            i += 4;
        else if (!is(tokens, i, ";") || !(is(tokens, count - 1, ";") || is(tokens, count - 1, "}")))
            tokens->list[count++] = tokens->list[i];
    }
    tokens->count = count;
}

/* Whether every name of `one` stands for one and the same of `other`. */
static int names_agree(const struct tokens *one, const struct tokens *other) {
    int i, k;

    for (i = 0; i < one->count; i++) {
        if (!is_name(one->list[i]))
            continue;
        for (k = 0; k < i && strcmp(one->list[k], one->list[i]); k++)
            ;
        if (strcmp(other->list[k], other->list[i]))
            return 0;
    }
    return 1;
}

int tokens_same_code(const char *one, const char *other) {
    struct tokens a, b;
    int same, i;

    tokens_read(&a, one);
    tokens_read(&b, other);
    drop_idle(&a);
    drop_idle(&b);
    same = a.count == b.count;
    for (i = 0; same && i < a.count; i++)
        same = is_name(a.list[i]) ? is_name(b.list[i]) : !strcmp(a.list[i], b.list[i]);
    same = same && names_agree(&a, &b) && names_agree(&b, &a);
    tokens_free(&a);
    tokens_free(&b);
    return same;
}
