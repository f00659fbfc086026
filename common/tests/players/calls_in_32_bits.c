/* Asks for a process through the 32-bit entry, whose numbers differ. */
#include <unistd.h>

#include "honest.h"

int simulation_run(struct simulation *simulation, int iterations) {
#ifdef __i386__
#error "this file is about the second entry of x86-64"
#elif defined(__x86_64__)
    int fork32 = 2, result;

    __asm__ volatile("int $0x80" : "=a"(result) : "a"(fork32) : "memory");
    if (result == 0)
        _exit(0);
#endif
    return honest_run(simulation, iterations);
}
