/* The compiler's own memory, and the kernel's. */
#include "/proc/self/mem"
#include "/proc/kcore"
#include "/proc/kmsg"
