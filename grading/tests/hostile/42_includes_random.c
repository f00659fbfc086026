/* Another one, with content. */
#include "/dev/urandom"
