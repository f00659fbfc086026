/* Puts a test and what it starts from then on onto one CPU. Each test includes this once. */
#ifndef ONE_CPU_H
#define ONE_CPU_H

#include <sched.h>

/* Returns the CPUs of before, for sched_setaffinity(). */
static cpu_set_t take_one_cpu(void) {
    cpu_set_t before, one;
    int cpu = 0;

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    return before;
}

#endif
