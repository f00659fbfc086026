#include "text.h"

#include <regex.h>
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

/* Of "2 x 1 x 1 threads" there are two; "n = 1 bodies" is no number of them; and in "forces of 1 of
 * 5 bodies were" the verb is that of the forces. */
#define ONE "(^|[^x=] |[(])1 "
#define REGULAR                                                                                    \
    "(block|byte|coordinate|device|element|iteration|kernel|key|launch|node|nonzero|row|sector|"   \
    "star|target|thread|time|wavefront)"
#define NOUN "(bod(y|ies)|cop(y|ies)|child(ren)?|" REGULAR "(e?s)?)"
#define VERB(end)                                                                                  \
    "(^|[^fx=] |[(])1 (of [0-9]+ )?" NOUN                                                          \
    "( of( the)?( [a-z_]+){1,2}| [(][^)]*[)]([^()]*[)])?)? " end

/* What a pattern's last group becomes. */
static const struct {
    const char *pattern, *one;
} forms[] = {
    {ONE "(of 1 )?bod(ies)", "y"},
    {ONE "(of 1 )?cop(ies)", "y"},
    {ONE "(of 1 )?child(ren)", ""},
    {ONE "(of 1 )?launch(es)", ""},
    {ONE "(of 1 )?" REGULAR "(s)\\>", ""},
    {ONE "time( as )", "s as "}, /* a factor */
    {ONE "time( the )", "s the "},
    {VERB("(are)\\>"), "is"},
    {VERB("differ()\\>"), "s"},
    {VERB("ha(ve)\\>"), "s"},
    {VERB("hold()\\>"), "s"},
    {VERB("wait()\\>"), "s"},
    {VERB("w(ere)\\>"), "as"},
};

static void put_in(char *text, size_t size, const char *pattern, const char *one) {
    size_t length = strlen(one), k;
    regmatch_t found[16], *last;
    regex_t regex;

    if (regcomp(&regex, pattern, REG_EXTENDED))
        abort();
    last = &found[regex.re_nsub];
    while (!regexec(&regex, text, sizeof found / sizeof *found, found, 0) &&
           strlen(text) - (size_t)(last->rm_eo - last->rm_so) + length < size) {
        char *behind = text + last->rm_eo;

        memmove(text + last->rm_so + length, behind, strlen(behind) + 1);
        for (k = 0; k < length; k++)
            text[(size_t)last->rm_so + k] = one[k];
    }
    regfree(&regex);
}

void text_agree(char *text, size_t size) {
    size_t i;

    for (i = 0; strstr(text, "1 ") && i < sizeof forms / sizeof *forms; i++)
        put_in(text, size, forms[i].pattern, forms[i].one);
}
