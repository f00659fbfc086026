/* Tries what a submission might try: hostile VERB [ARGUMENT]. Ends with 0 if it succeeded, with
 * 1 if it was refused, and then prints the error's name. `hostile all VERB:ARGUMENT...` tries each
 * and ends with 0. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <unistd.h>

static int said(int result) {
    if (result >= 0)
        return 0;
    puts(strerrorname_np(errno));
    return 1;
}

static int reads(const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    char byte;

    return said(fd < 0 ? -1 : (int)read(fd, &byte, 1));
}

static int writes(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0666);

    return said(fd < 0 ? -1 : (int)write(fd, "x", 1));
}

/* Writes until it may not; prints how many MiB. */
static int fills(const char *path) {
    static char block[1 << 20];
    int fd = open(path, O_WRONLY | O_CREAT, 0666), i;

    signal(SIGXFSZ, SIG_IGN);
    for (i = 0; i < 300 && write(fd, block, sizeof block) == sizeof block; i++)
        ;
    unlink(path);
    printf("%d ", i);
    return said(i < 300 ? -1 : 0);
}

static int connects(int type, const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((unsigned short)atoi(port)),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, type, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address))
        return said(-1);
    return said((int)send(fd, "x", 1, 0));
}

static int connects_abstract(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    strncpy(address.sun_path + 1, name, 64);
    return said(
        fd < 0 ? -1
               : connect(fd, (struct sockaddr *)&address,
                         (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name))));
}

/* Starts processes until it may not, at most `most`, and waits for their end. */
static int forks(int most) {
    int ends[2], i, error = 0;
    char byte;

    if (pipe(ends))
        return 1;
    for (i = 0; i < most && !error; i++) {
        pid_t child = fork();

        if (child < 0)
            error = errno;
        if (child == 0) {
            close(ends[1]);
            _exit((int)read(ends[0], &byte, 1));
        }
    }
    close(ends[1]);
    while (wait(NULL) > 0)
        ;
    errno = error;
    return said(error ? -1 : 0);
}

/* Makes each call in a process of its own: "call outcome" in lines. */
static int calls(char *numbers[]) {
    for (; *numbers; numbers++) {
        int number = atoi(*numbers), status = 0;
        pid_t child;

        fflush(stdout);
        if ((child = fork()) == 0) {
            long result = syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);

            printf("%d %s\n", number, result < 0 ? strerrorname_np(errno) : "done");
            fflush(stdout);
            _exit(0);
        }
        if (child < 0)
            return said(-1);
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("%d %s\n", number, strsignal(WTERMSIG(status)));
    }
    return 0;
}

static int tells_limits(void) {
    static const int all[] = {RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_MSGQUEUE,
                              RLIMIT_CPU};
    struct rlimit limit;
    size_t i;

    for (i = 0; i < sizeof all / sizeof *all; i++) {
        getrlimit(all[i], &limit);
        printf("%ld ", (long)limit.rlim_max);
    }
    return 0;
}

static int tells_signals(void) {
    struct sigaction action;
    sigset_t blocked;

    sigaction(SIGPIPE, NULL, &action);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    printf("%s %s", action.sa_handler == SIG_DFL ? "default" : "ignored",
           sigismember(&blocked, SIGUSR1) ? "blocked" : "open");
    return 0;
}

static int touches_process(const char *verb, pid_t pid) {
    char path[64];

    if (!strcmp(verb, "trace"))
        return said((int)ptrace(PTRACE_SEIZE, pid, 0, 0));
    if (!strcmp(verb, "signal"))
        return said(kill(pid, 0));
    snprintf(path, sizeof path, "/proc/%d/mem", pid ? pid : getppid());
    return said(open(path, O_RDWR));
}

static int attempt(const char *verb, const char *what) {
    char byte;

    if (!strcmp(verb, "read"))
        return reads(what);
    if (!strcmp(verb, "list"))
        return said(opendir(what) ? 0 : -1);
    if (!strcmp(verb, "write"))
        return writes(what);
    if (!strcmp(verb, "truncate"))
        return said(truncate(what, 0));
    if (!strcmp(verb, "fill"))
        return fills(what);
    if (!strcmp(verb, "tcp"))
        return connects(SOCK_STREAM, what);
    if (!strcmp(verb, "udp"))
        return connects(SOCK_DGRAM, what);
    if (!strcmp(verb, "abstract"))
        return connects_abstract(what);
    if (!strcmp(verb, "trace") || !strcmp(verb, "signal") || !strcmp(verb, "memory"))
        return touches_process(verb, atoi(what));
    if (!strcmp(verb, "fork"))
        return forks(atoi(what));
    if (!strcmp(verb, "root"))
        return said(setresuid(0, 0, 0));
    if (!strcmp(verb, "fd"))
        return said(fcntl(atoi(what), F_GETFD));
    if (!strcmp(verb, "stdin"))
        return read(0, &byte, 1) > 0 ? 0 : 1;
    if (!strcmp(verb, "env"))
        return getenv(what) ? 0 : 1;
    if (!strcmp(verb, "namespace"))
        return said((int)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    if (!strcmp(verb, "terminal"))
        return said(ioctl(0, TIOCSTI, "x"));
    if (!strcmp(verb, "personality"))
        return said(personality(ADDR_NO_RANDOMIZE));
    if (!strcmp(verb, "outlive"))
        return said(prctl(PR_SET_PDEATHSIG, 0));
    if (!strcmp(verb, "limits"))
        return tells_limits();
    if (!strcmp(verb, "signals"))
        return tells_signals();
    if (!strcmp(verb, "end"))
        return atoi(what) < 0 ? raise(-atoi(what)) : atoi(what);
    if (!strcmp(verb, "wait")) {
        puts("ready");
        fflush(stdout);
        return pause();
    }
    return 2;
}

int main(int count, char *words[]) {
    if (!strcmp(words[1], "calls"))
        return calls(words + 2);
    if (strcmp(words[1], "all"))
        return attempt(words[1], count > 2 ? words[2] : "");
    for (words += 2; *words; words++) {
        char *colon = strchr(*words, ':');

        printf("%s ", *words);
        *colon = 0;
        if (!attempt(*words, colon + 1))
            puts("done");
    }
    return 0;
}
