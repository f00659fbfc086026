/* Looks for what others handed in: in the folder of submissions, the gradebook, the folders of
 * tasks beside its own. */
#include "honest.h"
#include <dirent.h>

static int reads(const char *path) {
    int fd = open(path, O_RDONLY);
    char byte;
    int found = fd >= 0 && read(fd, &byte, 1) == 1;

    if (fd >= 0)
        close(fd);
    return found;
}

/* Another task's folder has a source that is not this one's. */
static int reads_tasks(const char *where) {
    DIR *folder = opendir(where);
    struct dirent *entry;
    int tasks = 0;

    while (folder && (entry = readdir(folder)))
        tasks += strncmp(entry->d_name, "course-grading.", 15) == 0;
    if (folder)
        closedir(folder);
    return tasks > 1;
}

HONEST_BUT_ITS_RUN {
    int found = reads("@SUBMISSIONS@/honest-1/02_openmp/nbody.c") ||
                reads("@OUT@/gradebook.sqlite") || reads("@CANARIES@/secret") ||
                reads_tasks("/tmp") || reads_tasks("..");

    return run_if(found, "20 read what is another's", simulation, iterations);
}
