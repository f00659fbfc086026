/* How numbers and strings are written, for people and programs. */
#ifndef PRINT_H
#define PRINT_H

/* Writes `text` as a JSON string, quotes included. */
void print_json_string(const char *text);

/* Writes a time with three digits and a unit a reader can feel. */
const char *readable_seconds(double seconds, char buffer[32]);

#endif
