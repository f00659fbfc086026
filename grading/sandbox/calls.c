/* The system calls that no program in the sandbox makes, or that it can do without. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "referee/base/filter.h"
#include "sandbox.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the filter knows the system calls of x86-64 and aarch64 only"
#endif

/* Nothing makes these by mistake. They raise SIGSYS, so that the verdict can say so. */
static const int hostile[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_quotactl,
    SYS_quotactl_fd,
    SYS_acct,
    SYS_process_madvise,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
};

/* Libraries try these and go on without: the C library's sockets for name services, CUDA's for its
 * daemon, timeout's process group. They fail with EPERM. */
static const int needless[] = {
    SYS_socketpair, SYS_connect, SYS_syslog,  SYS_perf_event_open, SYS_io_uring_setup, SYS_shmget,
    SYS_semget,     SYS_msgget,  SYS_mq_open, SYS_setpgid,         SYS_setsid,
};

/* Calls of later kernels do not exist: what they do, nobody looked at. */
enum { LAST_KNOWN = 450 }; /* set_mempolicy_home_node, Linux 5.17 */

enum { MOST_INSTRUCTIONS = 512 };

struct program {
    struct sock_filter list[MOST_INSTRUCTIONS];
    unsigned short count;
};

static void add(struct program *program, unsigned short code, unsigned value, unsigned char if_true,
                unsigned char if_false) {
    if (program->count == MOST_INSTRUCTIONS)
        no_sandbox("a filter of more than %d instructions", MOST_INSTRUCTIONS);
    program->list[program->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0);
}

static void end_with(struct program *program, unsigned action) {
    add(program, BPF_RET | BPF_K, action, 0, 0);
}

/* The accumulator holds the call's number before and after. */
static void refuse(struct program *program, int call, unsigned action) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 1);
    end_with(program, action);
}

/* Refuses a call of which an argument's lower half compares so with `value`. */
static void refuse_if(struct program *program, int call, int argument, unsigned short comparison,
                      unsigned value, unsigned action) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 4);
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)argument); /* little-endian */
    add(program, BPF_JMP | comparison | BPF_K, value, 0, 1);
    end_with(program, action);
    load(program, offsetof(struct seccomp_data, nr));
}

static void refuse_by_arguments(struct program *program) {
    const unsigned trap = SECCOMP_RET_TRAP, no = SECCOMP_RET_ERRNO | EPERM;
    const unsigned namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

    refuse_if(program, SYS_clone, 0, BPF_JSET, namespaces, trap);
    /* Its group is that of who called, and who called may be of the same user. */
    refuse_if(program, SYS_kill, 0, BPF_JEQ, 0, no);
    refuse_if(program, SYS_kill, 0, BPF_JGE, 0x80000000, no);
    /* It ends with who called. */
    refuse_if(program, SYS_prctl, 0, BPF_JEQ, PR_SET_PDEATHSIG, no);
    /* Types into the terminal. */
    refuse_if(program, SYS_ioctl, 1, BPF_JEQ, TIOCSTI, no);
    refuse_if(program, SYS_ioctl, 1, BPF_JEQ, TIOCLINUX, no);
}

/* CUDA's driver listens at a socket that has no file. It connects to none, nor may a step. */
static void refuse_sockets(struct program *program, int gpu) {
    static const int listening[] = {SYS_socket, SYS_bind, SYS_listen, SYS_accept, SYS_accept4};
    const unsigned no = SECCOMP_RET_ERRNO | EPERM;
    size_t i;

    if (gpu)
        refuse_if(program, SYS_socket, 0, BPF_JGT, AF_UNIX, no);
    for (i = 0; !gpu && i < sizeof listening / sizeof *listening; i++)
        refuse(program, listening[i], no);
}

/* A sanitizer asks what the personality is; nobody need change it. */
static void refuse_personality(struct program *program) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 4);
    load(program, offsetof(struct seccomp_data, args));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0xffffffff, 1, 0);
    end_with(program, SECCOMP_RET_ERRNO | EPERM);
    load(program, offsetof(struct seccomp_data, nr));
}

void calls_refuse(const struct sandbox *sandbox) {
    static struct program program;
    struct sock_fprog filter = {.filter = program.list};
    size_t i;

    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end_with(&program, SECCOMP_RET_TRAP);
    load(&program, offsetof(struct seccomp_data, nr));
    for (i = 0; i < sizeof hostile / sizeof *hostile; i++)
        refuse(&program, hostile[i], SECCOMP_RET_TRAP);
    for (i = 0; i < sizeof needless / sizeof *needless; i++)
        refuse(&program, needless[i], SECCOMP_RET_ERRNO | EPERM);
    refuse_sockets(&program, sandbox->gpu);
    refuse_by_arguments(&program);
    refuse_personality(&program);
    /* It keeps its flags in memory, where a filter cannot look; the C library then takes clone. */
    refuse(&program, SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    add(&program, BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1);
    end_with(&program, SECCOMP_RET_ERRNO | ENOSYS);
    end_with(&program, SECCOMP_RET_ALLOW);
    filter.len = program.count;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ||
        (sandbox->purpose == PURPOSE_RUN && filter_install()))
        no_sandbox("this kernel has no seccomp filter (%s)", strerror(errno));
}
