/* For the one source of a program that has main(). LLVM's OpenMP notes in shared memory that it is
 * there, once a process, and ends the program if it cannot. In a sandbox there is no /dev/shm; what
 * a step leaves there would outlive it; and a process that forks leaves a note for each child that
 * becomes another program. So the notes go to memory of the process. */
#ifndef NO_SHM_H
#define NO_SHM_H

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

int shm_open(const char *name, int flags, mode_t mode) {
    static int fd = -1;

    (void)flags, (void)mode;
    if (fd < 0)
        fd = memfd_create(name, MFD_CLOEXEC);
    return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

#endif
