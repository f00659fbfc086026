/* Markup, escape sequences, commas and invalid UTF-8 in what a program prints before it fails. */
#include "honest.h"

HONEST_BUT_ITS_RUN {
    printf(
        "</pre><script>alert(75)</script>\033[2J\033]0;owned\a,\",=1+1,]]>\xff\xc0\x80 | a | b\n");
    return 1;
}
