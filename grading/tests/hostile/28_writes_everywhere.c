/* Opens for writing, makes and removes whatever it can name, in every folder. Else right. */
#include "honest.h"
#include <sys/stat.h>

HONEST_BUT_ITS_RUN {
    static const char *const folders[] = {"@CANARIES@",
                                          "@OUT@",
                                          "@HOME@",
                                          "@SUBMISSIONS@",
                                          "@COURSE@",
                                          "@COURSE@/build",
                                          "@COURSE@/results",
                                          "/tmp",
                                          "/var/tmp",
                                          "/dev/shm",
                                          "/run",
                                          "/etc",
                                          "/usr/bin",
                                          "/home",
                                          "/root",
                                          ".",
                                          "..",
                                          "/"};

    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[4096];
        int fd;

        snprintf(path, sizeof path, "%s/hostile-touched", folders[i]);
        if ((fd = open(path, O_WRONLY | O_CREAT, 0666)) >= 0) {
            dprintf(fd, "28\n");
            close(fd);
        }
        snprintf(path, sizeof path, "%s/hostile-folder", folders[i]);
        mkdir(path, 0777);
        snprintf(path, sizeof path, "%s/target", folders[i]);
        if ((fd = open(path, O_WRONLY | O_APPEND)) >= 0) {
            dprintf(fd, "28\n");
            close(fd);
        }
        chmod(path, 0);
        rename(path, "/tmp/hostile-touched");
        unlink(path);
    }
    boast("28 wrote");
    return honest_run(simulation, iterations);
}
