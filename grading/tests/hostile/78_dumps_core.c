/* Takes a GiB and crashes, for a core file of that size. */
#include "honest.h"
#include <sys/prctl.h>
#include <sys/resource.h>

HONEST_BUT_ITS_RUN {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};

    setrlimit(RLIMIT_CORE, &all);
    prctl(PR_SET_DUMPABLE, 1);
    memset(malloc(1 << 30), 1, 1 << 30);
    abort();
}
