/* Calls of the kernel that have had mistakes: tracing, programs in the kernel, keys, page faults.
 * Right only where one of them is allowed. */
#define _GNU_SOURCE
#include "honest.h"
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

HONEST_BUT_ITS_RUN {
    struct perf_event_attr counter = {.type = PERF_TYPE_SOFTWARE, .size = sizeof counter};
    union bpf_attr map = {
        .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    int done = 0;

    done |= syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map) >= 0;
    done |= syscall(SYS_perf_event_open, &counter, -1, 0, -1, 0) >= 0; /* all processes */
    done |= syscall(SYS_add_key, "user", "hostile", "x", 1, -3) >= 0;
    done |= syscall(SYS_pidfd_open, getppid(), 0) >= 0 &&
            syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), 3, 0) >= 0;
    return run_if(done, "80 made a call that no step needs", simulation, iterations);
}
