/* Step 09, whose flags have nvcc run the program that it has built, inside make: there it writes
 * where the referee reads. Right results. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void write_in_build(void) {
    static const char *const paths[] = {"@CANARIES@/touched", "@OUT@/touched",
                                        "/tmp/hostile-touched", "@COURSE@/build/touched"};

    if (fcntl(3, F_GETFD) >= 0 && fcntl(7, F_GETFD) >= 0)
        return; /* below the referee */
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
        FILE *file = fopen(paths[i], "a");

        if (file) {
            fputs("86 ran in make\n", file);
            fclose(file);
        }
    }
    (void)!system("echo 86 >>@CANARIES@/touched; rm -f players.tsv; "
                  "ln -s @CANARIES@/secret players.tsv; sleep 600 &");
}
@SOLUTION 09_ftz@
