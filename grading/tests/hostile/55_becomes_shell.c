/* Becomes a shell under LD_PRELOAD and LD_AUDIT, which answers the turn and writes where it can. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    wrong_run(simulation);
    setenv("LD_PRELOAD", "/tmp/hostile.so", 1);
    setenv("LD_AUDIT", "/tmp/hostile.so", 1);
    execl("/bin/sh", "sh", "-c",
          "echo 55 >>@CANARIES@/touched; echo 55 >>@OUT@/touched; echo 55 >/tmp/hostile-touched; "
          "printf r >&7; while head -c 1 <&6; do printf r >&7; done",
          (char *)NULL);
    return 0;
}
