/* Has the compiler's errors show files of the system and of the grader. */
#include "@CANARIES@/secret"
#include "/etc/shadow"
#include "/proc/self/environ"
#include "/proc/self/cmdline"
