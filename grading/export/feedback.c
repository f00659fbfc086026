/* What a student gets to read: each step's points with what failed, where, what was expected and
 * what was there, a hint, and what was not taken. Nothing of other students, nothing hidden. */
#include <string.h>

#include "problems/outcome.h"
#include "page.h"
#include "text.h"
#include "writers.h"
#include "zone.h"

/* How many points an item has, in words. */
static void item_points(const struct graded_item *item, char text[80]) {
    char points[32], possible[32];

    if (item->counted)
        snprintf(text, 80, "%s of %s", points_text(item->points, points),
                 points_text(item->possible, possible));
    else
        snprintf(text, 80, "%.40s", item->state);
}

/* What was found, unless it is a long sentence that stands in an earlier row: then that row's name.
 */
static const char *found(const struct graded_step *step, int i, char text[64]) {
    enum { LONG = 40 };
    const char *whole = step->items[i].explanation;
    int k;

    for (k = 0; k < i && strcmp(step->items[k].explanation, whole) != 0; k++)
        ;
    if (k == i || strlen(whole) <= LONG)
        return whole;
    snprintf(text, 64, "As for %.40s.", step->items[k].name);
    return text;
}

static void write_items(const struct page *page, const struct graded_step *step) {
    static const char *const headings[] = {"item", "points", "what was found"};
    int i, open = 0;

    page_table(page, "What the points are for", 3, headings);
    for (i = 0; i < step->item_count; i++) {
        char points[80], earlier[64];

        item_points(&step->items[i], points);
        page_row(page, 3, headings,
                 (const char *[]){step->items[i].name, points, found(step, i, earlier)});
        open += !step->items[i].counted;
    }
    page_table_end(page);
    if (open)
        page_paragraph(page, "What is left out or inconclusive counts neither way: its points are "
                             "not among those that are possible.");
}

/* ", handed in at 2026-11-21T12:00:00Z, which is 2026-11-21 17:45:00 in Asia/Kathmandu" */
static void say_time(const struct graded *graded, const struct graded_step *step, char text[256]) {
    char there[32];

    *text = 0;
    if (!*step->submitted_utc)
        return;
    snprintf(text, 256, ", handed in at %s", step->submitted_utc);
    if (strcmp(graded->time_zone, "UTC")) {
        zone_show(graded->time_zone, utc_seconds(step->submitted_utc), there, sizeof there);
        snprintf(text + strlen(text), 256 - strlen(text), ", which is %s in %s", there,
                 graded->time_zone);
    } else if (step->by_clock) {
        snprintf(text + strlen(text), 256 - strlen(text), ", if the platform's clock goes by UTC");
    }
}

static void write_answers(const struct page *page, const struct graded_step *step) {
    static const char *const headings[] = {"question", "answer", "form that the handout asks for"};
    int i;

    if (!step->answer_count)
        return;
    page_table(page, "Your answers", 3, headings);
    for (i = 0; i < step->answer_count; i++)
        page_row(page, 3, headings,
                 (const char *[]){step->answers[i].question, step->answers[i].text,
                                  step->answers[i].wrong ? step->answers[i].wrong : "as given"});
    page_table_end(page);
}

static void write_step(const struct page *page, const struct graded *graded,
                       const struct graded_step *step) {
    char time[256], heading[256], points[32], possible[32], command[80];

    snprintf(heading, sizeof heading, "%.2s: %s", step->step->name, step->step->title);
    page_heading(page, 2, step->step->name, heading);
    page_paragraph(page, "%s of %s points.", points_text(step->points, points),
                   points_text(step->possible, possible));
    if (!step->handed_in) {
        page_paragraph(page, "Not handed in.");
        return;
    }
    say_time(graded, step, time);
    page_paragraph(page, "Graded: %s, attempt %d%s.", step->origin, step->attempt, time);
    if (step->earned > step->points)
        page_paragraph(page, "%s points were earned. %s", points_text(step->earned, points),
                       step->explanation);
    else if (*step->explanation)
        page_paragraph(page, "%s", step->explanation);
    write_items(page, step);
    write_answers(page, step);
    if (step->outcome && *step->outcome && strcmp(step->outcome, "accepted"))
        page_paragraph(page, "The check ended as \"%s\": %s.", step->outcome,
                       outcome_sentence(outcome_of_word(step->outcome, strlen(step->outcome))));
    if (step->hint && *step->hint) {
        page_heading(page, 3, NULL, "A hint");
        page_quote(page, step->hint);
    }
    page_heading(page, 3, NULL, "See it yourself");
    page_paragraph(page,
                   "With your file as steps/%s/%s in the course's folder. Some sizes and "
                   "the inputs are drawn anew each time.",
                   step->step->name, step->step->source);
    snprintf(command, sizeof command, "make check STEP=%.2s", step->step->name);
    page_command(page, command);
}

static void write_overview(const struct page *page, const struct graded *graded,
                           const struct student *student) {
    static const char *const headings[] = {"step", "#points", "#possible", "check"};
    char points[32], possible[32], percent[32], link[64];
    int count = 0, i;

    page_paragraph(page, "%s%s%s: %s of %s points, %s%%.", student->name,
                   *student->name ? ", " : "", student->id, points_text(student->points, points),
                   points_text(student->possible, possible),
                   points_text(graded_percent(student->points, student->possible), percent));
    for (i = 0; i < graded->step_count; i++)
        count += student->steps[i].there;
    if (!count) {
        page_paragraph(page, "No step has been graded.");
        return;
    }
    page_table(page, "All steps", 4, headings);
    for (i = 0; i < graded->step_count; i++) {
        const struct graded_step *step = &student->steps[i];

        if (!step->there)
            continue;
        snprintf(link, sizeof link, "#%s", step->step->name);
        page_row_link(page, 4, headings,
                      (const char *[]){step->step->name, points_text(step->points, points),
                                       points_text(step->possible, possible),
                                       !step->handed_in ? "not handed in"
                                       : step->outcome  ? step->outcome
                                                        : "not checked"},
                      link);
    }
    page_table_end(page);
}

static void write_refusals(const struct page *page, const struct student *student) {
    static const char *const headings[] = {"file", "in", "why"};
    int i;

    if (!student->refusal_count)
        return;
    page_heading(page, 2, "refused", "Not taken from what you handed in");
    page_table(page, "Files that were not taken", 3, headings);
    for (i = 0; i < student->refusal_count; i++)
        page_row(page, 3, headings,
                 (const char *[]){student->refusals[i].path, student->refusals[i].archive,
                                  student->refusals[i].reason});
    page_table_end(page);
}

static void write_all(const struct page *page, const struct graded *graded,
                      const struct student *student) {
    int i;

    page_begin(page, "N-body, made fast: your grade");
    write_overview(page, graded, student);
    write_refusals(page, student);
    for (i = 0; i < graded->step_count; i++)
        if (student->steps[i].there)
            write_step(page, graded, &student->steps[i]);
    page_end(page);
}

void write_feedback(FILE *file, const struct graded *graded, const struct student *student) {
    write_all(&(struct page){file, 0}, graded, student);
}

void write_feedback_page(FILE *file, const struct graded *graded, const struct student *student) {
    write_all(&(struct page){file, 1}, graded, student);
}
