/* Comes before every constructor, by a section of pointers, and ends the process. Else right. */
#include "honest.h"

static void first(void) {
    dprintf(1, "accepted\n");
    _exit(0);
}
__attribute__((section(".preinit_array"), used)) static void (*const begin)(void) = first;

HONEST_STEP
