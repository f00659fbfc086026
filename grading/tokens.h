/* What a source's code says, whatever its comments and layout. */
#ifndef TOKENS_H
#define TOKENS_H

/* Names, numbers and signs in their order, each a string of `text`. A literal in quotes is "". */
struct tokens {
    char *text, **list;
    int count;
};

void tokens_read(struct tokens *tokens, const char *source);
void tokens_free(struct tokens *tokens);

/* The place behind a comment or a literal in quotes that begins at `at`; `at` if none does. */
const char *tokens_skip(const char *at, int *literal);

/* Whether two sources differ in comments, layout, names and statements that do nothing alone: each
 * name of the one stands where the other has one and the same. */
int tokens_same_code(const char *one, const char *other);

#endif
