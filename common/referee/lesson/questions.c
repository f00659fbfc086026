#define _GNU_SOURCE
#include "questions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void questions_read(const struct step *step, struct questions *questions) {
    static const char mark[] = "   **Answer:** ";
    char path[96], *line = NULL;
    size_t room = 0;
    FILE *file;

    memset(questions, 0, sizeof *questions);
    snprintf(path, sizeof path, "steps/%s/README.md", step->name);
    if (!(file = fopen(path, "r")))
        return;
    while (questions->count < MOST_QUESTIONS && getline(&line, &room, file) > 0)
        if (!strncmp(line, mark, sizeof mark - 1)) {
            line[strcspn(line, "\r\n")] = 0;
            snprintf(questions->forms[questions->count++], FORM_BYTES, "%s",
                     line + sizeof mark - 1);
        }
    free(line);
    fclose(file);
}

/* Whether one of the words in backticks is the answer, in large letters or small. */
static int is_one_of(const char *form, const char *answer, size_t length) {
    while ((form = strchr(form, '`'))) {
        size_t word = strcspn(++form, "`");

        if (word == length && !strncasecmp(form, answer, length))
            return 1;
        form += word + (form[word] == '`');
    }
    return 0;
}

int question_takes(const char *form, const char *answer) {
    double low, high, value;
    size_t length;
    char *end;

    answer += strspn(answer, " ");
    length = strlen(answer);
    while (length && answer[length - 1] == ' ')
        length--;
    if (!strncmp(form, "one of ", 7))
        return is_one_of(form, answer, length);
    if (sscanf(form, "a number from %lf to %lf", &low, &high) != 2 &&
        sscanf(form, "a whole number from %lf to %lf", &low, &high) != 2)
        return 1;
    if (strspn(answer, "0123456789+-.eE") < length) /* strtod knows more, such as nan and 0x10 */
        return 0;
    value = strtod(answer, &end);
    return end == answer + length && length && value >= low && value <= high &&
           (strncmp(form, "a whole", 7) || value == floor(value));
}
