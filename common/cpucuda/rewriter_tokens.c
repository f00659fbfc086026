/* From text to tokens, with brackets and template arguments matched. */
#include "rewriter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    struct source *source;
    const char *at;
    int line, room;
    int region, regions;
    int last[2]; /* token of the code, of the current #define */
    bool line_start;
};

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* Goes one character on, or over a line continued by a backslash. */
static void step(struct scan *scan) {
    if (*scan->at == '\\' && (scan->at[1] == '\n' || (scan->at[1] == '\r' && scan->at[2] == '\n')))
        scan->at += scan->at[1] == '\n' ? 1 : 2;
    scan->line += *scan->at == '\n';
    scan->at++;
}

static bool continues(const struct scan *scan) {
    return *scan->at == '\\' && (scan->at[1] == '\n' || scan->at[1] == '\r');
}

/* Skips a comment, if one starts here. */
static bool skip_comment(struct scan *scan) {
    int line = scan->line;

    if (!strncmp(scan->at, "//", 2)) {
        while (*scan->at && *scan->at != '\n')
            step(scan);
        return true;
    }
    if (strncmp(scan->at, "/*", 2))
        return false;
    for (scan->at += 2; strncmp(scan->at, "*/", 2); step(scan))
        if (!*scan->at)
            stop_at(scan->source, line, UNTERMINATED, "a comment that starts here has no */");
    scan->at += 2;
    return true;
}

/* Skips a string or character. One that its line does not end is left to the compiler. */
static void skip_quoted(struct scan *scan) {
    char quote = *scan->at;

    step(scan);
    while (*scan->at && *scan->at != quote && *scan->at != '\n') {
        if (*scan->at == '\\' && !continues(scan) && scan->at[1])
            scan->at++;
        step(scan);
    }
    scan->at += *scan->at == quote;
}

static void skip_raw_string(struct scan *scan) {
    const char *mark = scan->at + 1;
    size_t length = strcspn(mark, "( )\\\t\n\r\v\f");
    int line = scan->line;

    for (scan->at = mark; *scan->at && mark[length] == '('; step(scan))
        if (*scan->at == ')' && !strncmp(scan->at + 1, mark, length) &&
            scan->at[length + 1] == '"') {
            scan->at += length + 2;
            return;
        }
    stop_at(scan->source, line, UNTERMINATED, "a raw string that starts here has no )%.*s\"",
            (int)length, mark);
}

static void skip_blanks(struct scan *scan) {
    while (*scan->at == ' ' || *scan->at == '\t' || continues(scan) || !strncmp(scan->at, "/*", 2))
        if (!skip_comment(scan))
            step(scan);
}

static int word_length(const char *text) {
    int length = 0;

    while (is_letter(text[length]))
        length++;
    return length;
}

static void add_token(struct scan *scan, enum kind kind, const char *text, int line) {
    struct source *source = scan->source;
    struct token *token;
    int *last = &scan->last[scan->region > 0], i = source->count++;

    if (i == scan->room) {
        scan->room = 2 * scan->room + 1024;
        source->tokens = realloc(source->tokens, (size_t)scan->room * sizeof *source->tokens);
        if (!source->tokens)
            stop_at(source, line, FAILED, "no memory");
    }
    token = &source->tokens[i];
    *token = (struct token){.kind = kind, .text = text, .line = line, .region = scan->region};
    token->length = (int)(scan->at - text);
    token->previous = token->next = token->partner = -1;
    if (kind == MACRO || kind == CONDITIONAL || kind == UNROLL)
        return;
    token->previous = *last;
    if (*last >= 0)
        source->tokens[*last].next = i;
    *last = i;
}

/* Skips what #if 0 leaves out, up to its #elif, #else or #endif. */
static void skip_dead(struct scan *scan) {
    int depth = 1;
    bool start = true;

    while (*scan->at) {
        if (*scan->at == '#' && start) {
            struct scan ahead = *scan;

            ahead.at++;
            skip_blanks(&ahead);
            if (!strncmp(ahead.at, "if", 2))
                depth++;
            else if (!strncmp(ahead.at, "endif", 5) ? !--depth
                                                    : !strncmp(ahead.at, "el", 2) && depth == 1)
                return;
        }
        start = *scan->at == '\n' || (start && isspace((unsigned char)*scan->at));
        if (*scan->at == '"')
            skip_quoted(scan);
        else if (!skip_comment(scan))
            step(scan);
    }
}

/* The token is the pragma's argument, which may be empty. */
static void read_unroll(struct scan *scan) {
    const char *text = scan->at + 6;

    for (scan->at = text; *scan->at && *scan->at != '\n' && strncmp(scan->at, "//", 2) &&
                          strncmp(scan->at, "/*", 2);)
        scan->at++;
    add_token(scan, UNROLL, text, scan->line);
}

static void read_directive(struct scan *scan) {
    const char *word, *rest;
    int length, line = scan->line;

    scan->at++;
    skip_blanks(scan);
    word = scan->at;
    length = word_length(word);
    scan->at += length;
    if (length == 6 && !strncmp(word, "define", 6)) {
        skip_blanks(scan);
        word = scan->at;
        scan->at += word_length(word);
        add_token(scan, MACRO, word, scan->line);
        if (*scan->at == '(')
            while (*scan->at && *scan->at != '\n' && scan->at[-1] != ')')
                step(scan);
        scan->region = ++scan->regions;
        scan->last[1] = -1;
        return;
    }
    if (!strncmp(word, "if", 2) || !strncmp(word, "el", 2) || !strncmp(word, "endif", 5))
        add_token(scan, CONDITIONAL, word, line);
    skip_blanks(scan);
    rest = scan->at;
    if (length == 6 && !strncmp(word, "pragma", 6) && word_length(rest) == 6 &&
        !strncmp(rest, "unroll", 6))
        read_unroll(scan);
    while (*scan->at && *scan->at != '\n')
        if (*scan->at == '"')
            skip_quoted(scan);
        else if (!skip_comment(scan))
            step(scan);
    if (length == 2 && *rest == '0' && !is_letter(rest[1]) &&
        rest[1 + strspn(rest + 1, " \t\r")] <= '/')
        skip_dead(scan);
}

static void read_number(struct scan *scan) {
    while (is_letter(*scan->at) || *scan->at == '.' ||
           (*scan->at == '\'' && is_letter(scan->at[1])) ||
           ((*scan->at == '+' || *scan->at == '-') && strchr("eEpP", scan->at[-1])))
        scan->at++;
}

static void read_punctuation(struct scan *scan) {
    static const char *const long_ones[] = {"<<<", ">>>", "<<=", ">>=", "->*", "<<",
                                            ">>",  "<=",  ">=",  "->",  "::",  "##"};
    int last = scan->last[scan->region > 0];
    size_t i;

    for (i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        if (!strncmp(scan->at, long_ones[i], strlen(long_ones[i])) &&
            !(i == 0 &&
              token_is(scan->source, last, "operator"))) { /* operator<<<int> is no launch */
            scan->at += strlen(long_ones[i]);
            return;
        }
    scan->at++;
}

static void read_token(struct scan *scan) {
    const char *text = scan->at;
    int line = scan->line, length = word_length(text);
    enum kind kind = LITERAL;

    if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]))) {
        read_number(scan);
    } else if (length) {
        scan->at += length;
        kind = NAME;
        if (*scan->at == '"' && scan->at[-1] == 'R' && length <= 3) {
            skip_raw_string(scan);
            kind = LITERAL;
        } else if (*scan->at == '"' || *scan->at == '\'') {
            skip_quoted(scan);
            kind = LITERAL;
        }
    } else if (*text == '"' || *text == '\'') {
        skip_quoted(scan);
    } else {
        kind = PUNCTUATION;
        read_punctuation(scan);
    }
    add_token(scan, kind, text, line);
}

/* The brackets open at one place of the code. */
struct open {
    int *tokens, count;
};

static struct open copy_open(const struct source *source, const struct open *open) {
    struct open copy = {malloc((size_t)(open->count + 1) * sizeof(int)), open->count};

    if (!copy.tokens)
        stop_at(source, 1, FAILED, "no memory");
    memcpy(copy.tokens, open->tokens, (size_t)open->count * sizeof(int));
    return copy;
}

static void match(struct source *source, struct open *open, int i) {
    static const char pairs[] = "()[]{}";
    int top = open->count ? open->tokens[open->count - 1] : -1;

    if (is_opening(source, i)) {
        open->tokens[open->count++] = i;
    } else if (top >= 0 && strchr(pairs, *source->tokens[top].text)[1] == *source->tokens[i].text) {
        source->tokens[top].partner = i;
        source->tokens[i].partner = top;
        open->count--;
    }
}

/* Every branch of an #if starts with what was open before it. If two branches leave different
 * brackets open, one end serves both. */
static void match_brackets(struct source *source) {
    size_t size = (size_t)source->count + 1;
    struct open code = {malloc(size * sizeof(int)), 0}, macro = {malloc(size * sizeof(int)), 0};
    struct open *before = calloc(size, sizeof *before), *branch = calloc(size, sizeof *branch);
    int *same = malloc(size * sizeof(int)), depth = 0, region = 0, i, k;

    if (!code.tokens || !macro.tokens || !before || !branch || !same)
        stop_at(source, 1, FAILED, "no memory");
    for (i = 0; i < source->count; i++) {
        const struct token *token = &source->tokens[i];

        same[i] = -1;
        if (token->kind == CONDITIONAL && *token->text == 'i') {
            before[depth++] = copy_open(source, &code);
        } else if (token->kind == CONDITIONAL && depth) {
            struct open *other = &branch[depth - 1];

            for (k = 0; other->tokens && k < other->count && k < code.count; k++)
                if (other->tokens[k] != code.tokens[k])
                    same[other->tokens[k]] = code.tokens[k];
            free(other->tokens);
            *other = copy_open(source, &code);
            if (token->text[1] == 'l') {
                code.count = before[depth - 1].count;
                memcpy(code.tokens, before[depth - 1].tokens, (size_t)code.count * sizeof(int));
            } else {
                depth--;
                free(before[depth].tokens);
                free(branch[depth].tokens);
                branch[depth].tokens = NULL;
            }
        } else if (token->kind == PUNCTUATION && (is_opening(source, i) || is_closing(source, i))) {
            if (token->region != region)
                macro.count = 0;
            region = token->region;
            match(source, region ? &macro : &code, i);
        }
    }
    for (i = source->count - 1; i >= 0; i--)
        if (source->tokens[i].partner < 0 && same[i] >= 0)
            source->tokens[i].partner = source->tokens[same[i]].partner;
    while (depth--) {
        free(before[depth].tokens);
        free(branch[depth].tokens);
    }
    free(code.tokens);
    free(macro.tokens);
    free(before);
    free(branch);
    free(same);
}

void read_tokens(struct source *source) {
    struct scan scan = {.source = source, .at = source->text, .line = 1, .line_start = true};

    scan.last[0] = scan.last[1] = -1;
    while (*scan.at) {
        if (*scan.at == '\n') {
            scan.region = 0;
            scan.line_start = true;
            step(&scan);
        } else if (isspace((unsigned char)*scan.at) || continues(&scan)) {
            step(&scan);
        } else if (skip_comment(&scan)) {
            continue;
        } else if (*scan.at == '#' && scan.line_start) {
            scan.line_start = false;
            read_directive(&scan);
        } else {
            scan.line_start = false;
            read_token(&scan);
        }
    }
    match_brackets(source);
}

bool token_is(const struct source *source, int i, const char *text) {
    const struct token *token = i < 0 ? NULL : &source->tokens[i];

    return token && token->kind != LITERAL && token->length == (int)strlen(text) &&
           !strncmp(token->text, text, (size_t)token->length);
}

bool is_one_of(const struct source *source, int i, const char *words) {
    char word[32];

    return i >= 0 && source->tokens[i].kind != LITERAL && source->tokens[i].length < 30 &&
           snprintf(word, sizeof word, " %.*s ", source->tokens[i].length,
                    source->tokens[i].text) &&
           strstr(words, word);
}

bool is_name(const struct source *source, int i) {
    return i >= 0 && source->tokens[i].kind == NAME &&
           !is_one_of(source, i, " return else do case if while for switch throw sizeof ");
}

bool is_opening(const struct source *source, int i) {
    return is_one_of(source, i, " ( [ { ");
}

bool is_closing(const struct source *source, int i) {
    return is_one_of(source, i, " ) ] } ");
}

int template_end(const struct source *source, int i) {
    int depth = 0;

    if (!is_name(source, source->tokens[i].previous))
        return -1;
    for (; i >= 0; i = source->tokens[i].next) {
        if (token_is(source, i, "<"))
            depth++;
        else if (is_one_of(source, i, " > >> >>> ") && (depth -= source->tokens[i].length) <= 0)
            return depth ? -1 : i;
        else if (is_opening(source, i) && source->tokens[i].partner >= 0)
            i = source->tokens[i].partner;
        else if (is_one_of(source, i, " ; ? <<< ) ] } "))
            return -1;
    }
    return -1;
}

int template_start(const struct source *source, int i) {
    int depth = 0;

    for (; i >= 0; i = source->tokens[i].previous) {
        if (is_one_of(source, i, " > >> >>> "))
            depth += source->tokens[i].length;
        else if (token_is(source, i, "<") && --depth == 0)
            return i;
        else if (is_closing(source, i) && source->tokens[i].partner >= 0)
            i = source->tokens[i].partner;
        else if (is_one_of(source, i, " ; <<< ( [ { "))
            return -1;
    }
    return -1;
}
