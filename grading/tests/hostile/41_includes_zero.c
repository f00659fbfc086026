/* A file that never ends. */
#include "/dev/zero"
