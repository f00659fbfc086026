/* The C library's functions that the player calls are its own: write answers twice and never fails,
 * memcpy copies nothing. */
#include "honest.h"
#include <sys/syscall.h>

ssize_t write(int fd, const void *bytes, size_t count) {
    syscall(SYS_write, fd, bytes, count);
    return syscall(SYS_write, fd, bytes, count);
}

HONEST_STEP
