#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "owner.h"

/* Copies a part of a path that is a person's name. */
static void copy_name(char *out, const char *from, size_t length) {
    char *text = strndup(from, length);

    name_printable(out, NAME_BYTES, text);
    free(text);
}

/* "Jörg Müller_123456_assignsubmission_file_" and, without folders, the file's own name behind it.
 */
static int moodle_mark(const char *component, size_t length, struct mark *mark) {
    static const char word[] = "_assignsubmission_";
    const char *at = memmem(component, length, word, strlen(word)), *digits = at;

    if (!at)
        return 0;
    while (digits > component && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == at || at - digits > 18 || digits < component + 2 || digits[-1] != '_')
        return 0;
    snprintf(mark->id, sizeof mark->id, "%.*s", (int)(at - digits), digits);
    copy_name(mark->name, component, (size_t)(digits - 1 - component));
    mark->kind = MARK_MOODLE;
    if (component[length]) {
        mark->rest = component + length + 1;
    } else {
        const char *own = at + strlen(word);

        own += strcspn(own, "_");
        mark->rest = *own ? own + 1 : own;
    }
    return 1;
}

/* Reads digits and the `_` behind them. */
static const char *number(const char *at, unsigned long long *value) {
    size_t digits = strspn(at, "0123456789");

    if (!digits || digits > 18 || *at == '0' || at[digits] != '_')
        return NULL;
    *value = strtoull(at, NULL, 10);
    return at + digits + 1;
}

/* "muellerjoerg_LATE_12345_678901_nbody-1.cu": name, LATE or not, user, file, the student's own;
 * and "muellerjoerg_LATE_12345_text.html". */
static int canvas_mark(const char *component, size_t length, struct mark *mark) {
    const char *at = memchr(component, '_', length), *dash;
    size_t name = at ? (size_t)(at - component) : 0;
    unsigned long long user;

    if (!name || component[length])
        return 0;
    at++;
    at += !strncmp(at, "LATE_", 5) ? 5 : 0;
    at = number(at, &user);
    /* A text or an address that was typed in has no file's number. */
    if (at && strcmp(at, "text.html") && strcmp(at, "link.html"))
        at = number(at, &mark->attempt);
    if (!at || !*at)
        return 0;
    snprintf(mark->id, sizeof mark->id, "%llu", user);
    copy_name(mark->name, component, name);
    mark->kind = MARK_CANVAS;
    mark->rest = at;
    dash = strrchr(at, '-');
    if (dash && isdigit((unsigned char)dash[1]) && dash[1 + strspn(dash + 1, "0123456789")] == '.')
        mark->version = atoi(dash + 1);
    return 1;
}

static int gradescope_mark(const char *component, size_t length, struct mark *mark) {
    static const char word[] = "submission_";

    if (length <= strlen(word) || length >= sizeof mark->id || !component[length] ||
        strncmp(component, word, strlen(word)) ||
        strspn(component + strlen(word), "0123456789") != length - strlen(word))
        return 0;
    snprintf(mark->id, sizeof mark->id, "%.*s", (int)length, component);
    mark->attempt = strtoull(component + strlen(word), NULL, 10);
    mark->kind = MARK_GRADESCOPE;
    mark->rest = component + length + 1;
    return 1;
}

enum mark_kind owner_mark(const char *path, struct mark *mark) {
    size_t length;
    int end = 0;

    memset(mark, 0, sizeof *mark);
    if (sscanf(path, "assignment_%*[0-9]_export/%n", &end) == 0 && end) {
        length = strcspn(path + end, "/");
        return gradescope_mark(path + end, length, mark) ? mark->kind : MARK_NONE;
    }
    length = strcspn(path, "/");
    if (!moodle_mark(path, length, mark) && !gradescope_mark(path, length, mark))
        canvas_mark(path, length, mark);
    return mark->kind;
}

int owner_is_typed(const char *path) {
    struct mark mark;

    switch (owner_mark(path, &mark)) {
    case MARK_MOODLE:
        return strstr(path, "_assignsubmission_onlinetext") != NULL;
    case MARK_CANVAS:
        return !mark.attempt;
    default:
        return 0;
    }
}

int owner_is_export(const char *path) {
    struct mark mark;

    return owner_mark(path, &mark) != MARK_NONE;
}

/* Takes a YAML scalar: bare, or in either kind of quotes. */
static void take_scalar(const char *line, size_t length, char *out, size_t size) {
    char text[512], plain[512];
    size_t i, used = 0;
    char quote = 0;

    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (*text == '\'' || *text == '"')
        quote = *text;
    for (i = quote != 0; text[i]; i++) {
        if (quote && text[i] == quote) {
            if (quote == '"' || text[i + 1] != quote)
                break;
            i++;
        } else if (quote == '"' && text[i] == '\\' && strchr("\"\\/", text[i + 1]) && text[i + 1]) {
            i++;
        }
        plain[used++] = text[i];
    }
    plain[used] = 0;
    if (!quote && (!strcmp(plain, "null") || !strcmp(plain, "~")))
        *plain = 0;
    name_printable(out, size, plain);
}

/* The value behind `:key:` in the line, or NULL. */
static const char *value_of(const char *at, const char *end, const char *key) {
    size_t length = strlen(key);

    if ((size_t)(end - at) < length || strncmp(at, key, length))
        return NULL;
    at += length;
    while (at < end && *at == ' ')
        at++;
    return at;
}

int owner_gradescope(const char *metadata, const char *submission, struct hand_in *found) {
    char emails[MOST_TOGETHER][STUDENT_BYTES] = {""}, text[64], sids[MOST_TOGETHER][64] = {""};
    const char *at = metadata, *value;
    int inside = 0, people = 0, person = -1, known = 0, i;

    memset(found, 0, sizeof *found);
    for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *end = at + strcspn(at, "\n"), *key = at;
        long depth;

        while (key < end && *key == ' ')
            key++;
        depth = key - at;
        if (depth == 0 && *key != '#' && *key != '-' && key < end) {
            size_t length = strlen(submission);

            inside = !strncmp(key, submission, length) && key[length] == ':';
            known |= inside;
            people = 0;
            continue;
        }
        if (!inside)
            continue;
        if (depth == 2 && *key == ':')
            people = value_of(key, end, ":submitters:") != NULL;
        if (depth == 2 && (value = value_of(key, end, ":created_at:"))) {
            take_scalar(value, (size_t)(end - value), text, sizeof text);
            owner_time(found->submitted_utc, owner_read_time(text));
        }
        if (!people)
            continue;
        if (*key == '-') {
            person++;
            key += 1 + strspn(key + 1, " ");
        }
        if (person < 0 || person >= MOST_TOGETHER)
            continue;
        if ((value = value_of(key, end, ":name:")))
            take_scalar(value, (size_t)(end - value), found->names[person], NAME_BYTES);
        else if ((value = value_of(key, end, ":sid:")))
            take_scalar(value, (size_t)(end - value), sids[person], sizeof sids[person]);
        else if ((value = value_of(key, end, ":email:")))
            take_scalar(value, (size_t)(end - value), emails[person], sizeof emails[person]);
    }
    found->people = person < MOST_TOGETHER ? person + 1 : MOST_TOGETHER;
    for (i = 0; i < found->people; i++)
        name_id(found->ids[i], *sids[i] ? sids[i] : *emails[i] ? emails[i] : found->names[i]);
    return known && found->people > 0;
}

void owner_time(char text[24], long long seconds) {
    time_t time = (time_t)seconds;
    struct tm parts;

    *text = 0;
    if (seconds > 0 && seconds < 253402300800LL && gmtime_r(&time, &parts))
        strftime(text, 24, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

long long owner_read_time(const char *text) {
    struct tm parts = {0};
    const char *at = strptime(text, "%Y-%m-%d", &parts);
    int hours = 0, minutes = 0;
    char sign = '+';

    if (!at || (*at != ' ' && *at != 'T') || !(at = strptime(at + 1, "%H:%M:%S", &parts)))
        return -1;
    if (*at == '.')
        at += 1 + strspn(at + 1, "0123456789");
    at += strspn(at, " ");
    if (*at && strcmp(at, "Z") && strcmp(at, "UTC")) {
        if (sscanf(at, "%c%2d:%2d", &sign, &hours, &minutes) != 3 &&
            sscanf(at, "%c%2d%2d", &sign, &hours, &minutes) != 3)
            return -1;
        if ((sign != '+' && sign != '-') || hours < 0 || minutes < 0)
            return -1;
    }
    return (long long)timegm(&parts) - (sign == '-' ? -60LL : 60LL) * (60 * hours + minutes);
}
