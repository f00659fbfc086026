/* What is written of a class: each function one file's content. Same class, same bytes. */
#ifndef WRITERS_H
#define WRITERS_H

#include <stdio.h>

#include "graded.h"

/* Tables (csv.c). */
void write_grades(FILE *file, const struct graded *graded);
void write_grades_by_step(FILE *file, const struct graded *graded);
void write_moodle(FILE *file, const struct graded *graded);
void write_canvas(FILE *file, const struct graded *graded);

/* Of other graders (platforms.c). */
void write_junit(FILE *file, const struct graded *graded);
void write_gradescope(FILE *file, const struct graded *graded, const struct student *student);
void write_classroom(FILE *file, const struct graded *graded, const struct student *student);

/* For a student to read. */
void write_feedback(FILE *file, const struct graded *graded, const struct student *student);
void write_feedback_page(FILE *file, const struct graded *graded, const struct student *student);

/* For the instructor, with what students do not see of each other. */
enum outcome write_class_page(FILE *file, sqlite3 *book, const struct graded *graded);
struct page;
enum outcome write_pairs(const struct page *page, sqlite3 *book);
enum outcome write_odd_words(const struct page *page, sqlite3 *book);
enum outcome write_machines(const struct page *page, sqlite3 *book);

#endif
