/* A compiler that reads from its own pipes and terminals; else right. */
#if __has_include("/dev/tty")
#include "/dev/tty"
#endif
#if __has_include("/proc/self/fd/1")
#include "/proc/self/fd/1"
#endif
#if __has_include("/proc/self/fd/2")
#include "/proc/self/fd/2"
#endif
#include "honest.h"

HONEST_STEP
