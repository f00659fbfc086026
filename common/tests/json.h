/* Whether a text is one JSON value (RFC 8259) and nothing else. For tests. */
#ifndef JSON_H
#define JSON_H

#include "testing.h"

/* Each function gets the place where its value starts and returns the first place after it and the
 * space behind it; NULL if it is none. */
static inline const char *json_space(const char *at) {
    return at + strspn(at, " \t\n\r");
}

static inline const char *json_string(const char *at) {
    if (*at++ != '"')
        return NULL;
    while (*at != '"') {
        if ((unsigned char)*at < 0x20) /* the end, too */
            return NULL;
        if (*at != '\\')
            at++;
        else if (at[1] == 'u' && strspn(at + 2, "0123456789abcdefABCDEF") >= 4)
            at += 6;
        else if (at[1] && strchr("\"\\/bfnrt", at[1]))
            at += 2;
        else
            return NULL;
    }
    return json_space(at + 1);
}

static inline const char *json_number(const char *at) {
    size_t digits;

    at += *at == '-';
    digits = strspn(at, "0123456789");
    if (digits == 0 || (*at == '0' && digits > 1))
        return NULL;
    at += digits;
    if (*at == '.') {
        if ((digits = strspn(++at, "0123456789")) == 0)
            return NULL;
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        if ((digits = strspn(at, "0123456789")) == 0)
            return NULL;
        at += digits;
    }
    return json_space(at);
}

static inline const char *json_value(const char *at) {
    static const char *const words[] = {"true", "false", "null"};
    char end = *at == '{' ? '}' : ']';
    int i;

    if (*at == '"')
        return json_string(at);
    for (i = 0; i < 3; i++)
        if (!strncmp(at, words[i], strlen(words[i])))
            return json_space(at + strlen(words[i]));
    if (*at != '{' && *at != '[')
        return json_number(at);
    at = json_space(at + 1);
    if (*at == end)
        return json_space(at + 1);
    for (;; at = json_space(at + 1)) {
        if (end == '}') {
            at = json_string(at);
            if (!at || *at != ':')
                return NULL;
            at = json_space(at + 1);
        }
        if (!(at = json_value(at)) || (*at != ',' && *at != end))
            return NULL;
        if (*at == end)
            return json_space(at + 1);
    }
}

static inline int is_json(const char *text) {
    const char *end = json_value(json_space(text));

    return end && !*end;
}

#endif
