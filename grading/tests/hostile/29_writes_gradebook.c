/* Writes a verdict into the gradebook, its journal and every result beside it. Else right. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    static const char *const paths[] = {"@OUT@/gradebook.sqlite",
                                        "@OUT@/gradebook.sqlite-wal",
                                        "@OUT@/gradebook.sqlite-journal",
                                        "@OUT@/grades.csv",
                                        "../result.json",
                                        "result.json",
                                        "players.tsv"};

    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        int fd = open(paths[i], O_RDWR | O_APPEND);

        if (fd >= 0) {
            dprintf(fd, "accepted");
            close(fd);
            boast("29 wrote to a result");
        }
    }
    return honest_run(simulation, iterations);
}
