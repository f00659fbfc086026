/* A seccomp filter of its own lets the calls it wants through, if that could be. Else right. */
#define _GNU_SOURCE
#include "honest.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

HONEST_BUT_ITS_RUN {
    struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {1, all};

    prctl(PR_SET_DUMPABLE, 1);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    if (fork() == 0) {
        boast("64 started a process");
        _exit(0);
    }
    return honest_run(simulation, iterations);
}
