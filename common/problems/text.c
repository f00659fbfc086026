#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_add(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

struct forms {
    const char *several, *one;
};

static const struct forms nouns[] = {
    {"bodies", "body"},
    {"blocks", "block"},
    {"bytes", "byte"},
    {"children", "child"},
    {"coordinates", "coordinate"},
    {"copies", "copy"},
    {"devices", "device"},
    {"elements", "element"},
    {"iterations", "iteration"},
    {"kernels", "kernel"},
    {"keys", "key"},
    {"launches", "launch"},
    {"nodes", "node"},
    {"nonzeros", "nonzero"},
    {"rows", "row"},
    {"sectors", "sector"},
    {"stars", "star"},
    {"targets", "target"},
    {"threads", "thread"},
    {"times", "time"},
    {"wavefronts", "wavefront"},
};
static const struct forms verbs[] = {{"are", "is"},     {"differ", "differs"}, {"have", "has"},
                                     {"hold", "holds"}, {"wait", "waits"},     {"were", "was"}};

static size_t word_length(const char *word) {
    return strspn(word, "abcdefghijklmnopqrstuvwxyz_");
}

/* Puts the singular in the place of a word; returns the end of what is there then, or NULL if the
 * word is none of these. */
static char *replace_word(char *word, const struct forms *forms, size_t count, const char *end) {
    size_t length = word_length(word), i;

    if (!strncmp(word, "times as ", 9)) /* a factor */
        return NULL;
    for (i = 0; i < count; i++) {
        size_t one = strlen(forms[i].one);

        if (strlen(forms[i].several) != length || strncmp(word, forms[i].several, length) ||
            word + strlen(word) - length + one >= end)
            continue;
        memmove(word + one, word + length, strlen(word + length) + 1);
        memcpy(word, forms[i].one, one);
        return word + one;
    }
    return NULL;
}

/* Behind a space, and behind what stands in brackets and its space. */
static char *next_word(char *at) {
    int depth = 0;

    if (*at != ' ')
        return NULL;
    at++;
    if (*at != '(')
        return at;
    do
        depth += (*at == '(') - (*at == ')');
    while (*++at && depth);
    return *at == ' ' ? at + 1 : NULL;
}

/* The words behind a "1 ": a noun, in the singular unless it is one of several, and its verb soon
 * after it. */
static void agree(char *text, size_t size, char *at) {
    const char *room = text + size;
    char *end;
    int words;

    if (strncmp(at, "of ", 3) || !isdigit((unsigned char)at[3]))
        end = replace_word(at, nouns, sizeof nouns / sizeof *nouns, room);
    else if (strtol(at + 3, &end, 10) == 1 && *end == ' ')
        end = replace_word(end + 1, nouns, sizeof nouns / sizeof *nouns, room);
    else if (*end == ' ')
        end += 1 + word_length(end + 1);
    at = end ? next_word(end) : NULL;
    for (words = 0; at && words < 6 && strncmp(at, "that ", 5); words++) {
        if (replace_word(at, verbs, sizeof verbs / sizeof *verbs, room))
            return;
        at = next_word(at + word_length(at));
    }
}

void text_agree(char *text, size_t size) {
    char *at = text;

    /* Of "2 x 1 x 1 threads" there are two; "0.1 bytes" are a part of one. */
    for (; (at = strstr(at, "1 ")); at += 2)
        if (at == text || (strchr(" (", at[-1]) && !(at >= text + 3 && !memcmp(at - 3, " x ", 3)) &&
                           !(at >= text + 2 && at[-2] == '=')))
            agree(text, size, at + 2);
}
