/* Texts as files of various kinds want them. Nothing that is written through these functions can
 * leave its place, whoever wrote it. */
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include "problems/outcome.h"

/* A copy in which bytes that are no UTF-8, and control characters but line ends and tabs, are
 * U+FFFD. To be freed. */
char *text_clean(const char *text);

/* The name of a file for a student's id: what a file system or a shell could take for something
 * else is %XX. Different ids have different names. To be freed. */
char *text_file_name(const char *id);

/* Escaped for the place in question. */
void write_html(FILE *file, const char *text);     /* and XML, between tags or in an attribute */
void write_markdown(FILE *file, const char *text); /* of a table too, so on one line */
void write_link(FILE *file, const char *name);     /* a file's name in a URL */
void write_cell(FILE *file, const char *text);     /* of RFC 4180; never a formula */

/* Points: at most two decimals, no trailing zeros. */
const char *points_text(double points, char buffer[32]);

/* A file that takes its place all at once. */
struct output {
    FILE *file;
    char path[4096], beside[4096];
};

/* Opens `folder`/`name``ending`; says in one line why it cannot. */
enum outcome output_open(struct output *output, const char *folder, const char *name,
                         const char *ending);

/* Puts it in its place, or says why it cannot. */
enum outcome output_close(struct output *output);

#endif
