#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "learner.h"
#include "referee/lesson/questions.h"
#include "verbs.h"

static const char answers[] = "answers.tsv";

/* Whether a row of answers is one: a step of the catalogue, a question of its handout, an answer of
 * the form that it names. If not, `why` says so. */
static int is_wrong(const struct catalogue *catalogue, char *row, char why[400]) {
    static struct questions questions;
    const struct step *step;
    char *question = strchr(row, '\t'), *answer = question ? strchr(question + 1, '\t') : NULL;
    char *end;
    long number;

    *why = 0;
    if (!answer || strchr(answer + 1, '\t'))
        return snprintf(why, 400, "step, question and answer are needed, with a tab between them");
    *question++ = *answer++ = 0;
    if (!(step = catalogue_find(catalogue, row)))
        return snprintf(why, 400, "there is no such step; steps/ lists them");
    number = strtol(question, &end, 10);
    if (!isdigit((unsigned char)*question) || number < 1 || *end)
        return snprintf(why, 400, "the question is a whole number from 1 on");
    if (strspn(answer, " ") == strlen(answer))
        return snprintf(why, 400, "the answer is empty");
    questions_read(step, &questions);
    if (questions.count && number > questions.count)
        return snprintf(why, 400, "%s has questions 1 to %d", step->name, questions.count);
    if (questions.count && !question_takes(questions.forms[number - 1], answer))
        return snprintf(why, 400, "%.40s is not what question %ld of %s asks for: %s", answer,
                        number, step->name, questions.forms[number - 1]);
    return 0;
}

/* Reads the answers through and tells all that are none; a first line of the columns' names is
 * none, nor is an empty line. */
static enum outcome look_at_answers(const struct catalogue *catalogue) {
    FILE *file = fopen(answers, "r");
    enum outcome outcome = OUTCOME_ACCEPTED;
    char *row = NULL;
    size_t room = 0;
    int number = 0;

    if (!file)
        return OUTCOME_ACCEPTED;
    while (getline(&row, &room, file) > 0) {
        char why[400];

        number++;
        row[strcspn(row, "\r\n")] = 0;
        if (!*row || (number == 1 && !strcmp(row, "step\tquestion\tanswer")))
            continue;
        if (is_wrong(catalogue, row, why))
            outcome = complain(OUTCOME_USAGE, "%s:%d: %s", answers, number, why);
    }
    free(row);
    fclose(file);
    return outcome;
}

/* Tells the packing script a step's files. */
static void pass_on(FILE *script, const struct step *step, const struct state *state) {
    struct edited edited;
    int i;

    learner_files(step, &edited);
    for (i = 0; i < edited.count; i++)
        if (access(edited.paths[i], R_OK) == 0)
            fprintf(script, "%s\t%s\t%s\n", step->name, edited.names[i],
                    state->accepted ? "accepted" : "not accepted");
}

enum outcome submit(const struct options *options) {
    const struct catalogue *catalogue = options->catalogue;
    static struct state states[MOST_STEPS];
    struct events events;
    enum outcome outcome;
    FILE *script;
    int i, begun = 0, status;

    if (!options->student)
        return complain(OUTCOME_USAGE, "submit needs your id, as in `make submit STUDENT=anna-3`");
    if ((outcome = look_at_answers(catalogue)) ||
        (outcome = journal_read(options->results, &events)))
        return outcome;
    for (i = 0; i < catalogue->count && !outcome; i++) {
        outcome = learner_state(&catalogue->steps[i], options, &events, &states[i]);
        begun += states[i].there && !states[i].is_skeleton;
    }
    journal_free(&events);
    if (outcome)
        return outcome;
    if (!begun && access(answers, R_OK))
        return complain(OUTCOME_STATE, "there is nothing to submit: every step is as it was handed "
                                       "out, and there is no answers.tsv");
    setenv("STUDENT", options->student, 1);
    setenv("RESULTS", options->results, 1);
    fflush(stdout);
    if (!(script = popen("common/course/submit.sh", "w")))
        return complain(OUTCOME_INTERNAL, "common/course/submit.sh cannot be run");
    for (i = 0; i < catalogue->count; i++)
        if (states[i].there && !states[i].is_skeleton)
            pass_on(script, &catalogue->steps[i], &states[i]);
    status = pclose(script);
    return WIFEXITED(status) ? (enum outcome)WEXITSTATUS(status) : OUTCOME_INTERNAL;
}
