/* How numbers are written for people. */
#ifndef PRINT_H
#define PRINT_H

/* Writes a time with three digits and a unit a reader can feel. */
const char *readable_seconds(double seconds, char buffer[32]);

#endif
