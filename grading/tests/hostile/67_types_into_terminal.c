/* Types a command into the instructor's terminal. Right only where that comes through. */
#include "honest.h"
#include <sys/ioctl.h>
#include <termios.h>

HONEST_BUT_ITS_RUN {
    static const char *const names[] = {"/dev/tty", "/dev/console", "/dev/pts/0", "/dev/tty1"};
    int typed = 0;

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        int fd = open(names[i], O_RDWR | O_NONBLOCK);

        if (fd < 0)
            continue;
        typed |= ioctl(fd, TIOCSTI, "#") == 0 || write(fd, "\033[2J", 4) == 4;
        close(fd);
    }
    return run_if(typed, "67 wrote to a terminal", simulation, iterations);
}
