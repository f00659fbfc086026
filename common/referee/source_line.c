#include "source_line.h"

void source_lines_in(const char *program, char *message, size_t size) {
    (void)program, (void)message, (void)size;
}
