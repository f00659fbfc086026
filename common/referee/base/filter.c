#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"
#include "protocol/player.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter knows the system calls of x86-64 and aarch64 only"
#endif

#define LOAD(field)    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define TRAP_IF(call)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), RETURN(SECCOMP_RET_TRAP)
/* Trapped when its first argument is one of the referee's three buffers. */
#define TRAP_ON_BUFFER(call)                                                                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5), LOAD(args[0]),                                \
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, INPUT_FD, 0, 2),                                       \
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, FIGURES_FD, 1, 0), RETURN(SECCOMP_RET_TRAP),           \
        RETURN(SECCOMP_RET_ALLOW)
/* Trapped unless its first argument is this process. */
#define TRAP_ON_OTHERS(call, self)                                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5), LOAD(args[0]),                                \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 2, 0),                                              \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0), RETURN(SECCOMP_RET_TRAP),                 \
        RETURN(SECCOMP_RET_ALLOW)

/* As root a player could otherwise open the memory of the referee, which is not its equal then. */
static int drop_tracing(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    unsigned bit = 1u << CAP_SYS_PTRACE;

    if (syscall(SYS_capget, &header, data))
        return -1;
    data[0].effective &= ~bit;
    data[0].permitted &= ~bit;
    data[0].inheritable &= ~bit;
    return (int)syscall(SYS_capset, &header, data);
}

int filter_install(void) {
    unsigned self = (unsigned)getpid();
    struct sock_filter instructions[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_TRAP),
        LOAD(nr),
#ifdef __x86_64__
        /* The x32 numbers would be a second way to every call. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        RETURN(SECCOMP_RET_TRAP),
        TRAP_IF(SYS_fork),
        TRAP_IF(SYS_vfork),
#endif
        TRAP_IF(SYS_ptrace),
        TRAP_IF(SYS_process_vm_readv),
        TRAP_IF(SYS_process_vm_writev),
        TRAP_ON_BUFFER(SYS_ftruncate),
        TRAP_ON_BUFFER(SYS_fallocate),
        /* The referee, or the player that this one is compared with. */
        TRAP_ON_OTHERS(SYS_kill, self),
        TRAP_ON_OTHERS(SYS_tgkill, self),
        TRAP_ON_OTHERS(SYS_rt_sigqueueinfo, self),
        TRAP_ON_OTHERS(SYS_rt_tgsigqueueinfo, self),
        TRAP_ON_OTHERS(SYS_prlimit64, self),
        TRAP_IF(SYS_tkill),
        TRAP_IF(SYS_pidfd_send_signal),
        /* Ways out of being stopped: another process group, or SIGCONT from the kernel. */
        TRAP_IF(SYS_setpgid),
        TRAP_IF(SYS_timer_create),
        TRAP_IF(SYS_mq_notify),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 4),
        LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETSIG, 0, 1),
        RETURN(SECCOMP_RET_TRAP),
        RETURN(SECCOMP_RET_ALLOW),
        /* Makes system calls that no filter sees. */
        TRAP_IF(SYS_io_uring_setup),
        /* clone3 keeps its flags in memory, where a filter cannot look; without it the C library
         * starts threads by clone. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        RETURN(SECCOMP_RET_TRAP),
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions,
                                 .filter = instructions};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || drop_tracing())
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int filter_starts_process(int call) {
#ifdef __x86_64__
    if (call == SYS_fork || call == SYS_vfork)
        return 1;
#endif
    return call == SYS_clone;
}
