#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "learner.h"
#include "verbs.h"

static const char answers[] = "answers.tsv";

/* Whether a row of answers is one: a step of the catalogue, a question's number, an answer. */
static const char *wrong_with(const struct catalogue *catalogue, char *row) {
    char *question = strchr(row, '\t'), *answer = question ? strchr(question + 1, '\t') : NULL;
    char *end;

    if (!answer || strchr(answer + 1, '\t'))
        return "step, question and answer are needed, with a tab between them";
    *question++ = *answer++ = 0;
    if (!catalogue_find(catalogue, row))
        return "there is no such step; steps/catalogue.tsv lists them";
    if (!isdigit((unsigned char)*question) || strtol(question, &end, 10) < 1 || *end)
        return "the question is a whole number from 1 on";
    if (strspn(answer, " ") == strlen(answer))
        return "the answer is empty";
    return NULL;
}

/* Reads the answers through; a first line of the columns' names is none, nor is an empty line. */
static enum outcome look_at_answers(const struct catalogue *catalogue) {
    FILE *file = fopen(answers, "r");
    enum outcome outcome = OUTCOME_ACCEPTED;
    char *row = NULL;
    size_t room = 0;
    int number = 0;

    if (!file)
        return OUTCOME_ACCEPTED;
    while (!outcome && getline(&row, &room, file) > 0) {
        const char *why;

        number++;
        row[strcspn(row, "\r\n")] = 0;
        if (!*row || (number == 1 && !strcmp(row, "step\tquestion\tanswer")))
            continue;
        if ((why = wrong_with(catalogue, row)))
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

enum outcome submit(const struct catalogue *catalogue, const struct options *options) {
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
