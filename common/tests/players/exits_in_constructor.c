/* Is gone before main(). */
#include <unistd.h>

#include "honest.h"

__attribute__((constructor)) static void before_main(void) {
    _exit(0);
}
