/* A compiler shows the line of the file that #line names. */
#include "honest.h"

HONEST_CREATE
HONEST_RUN
HONEST_DESTROY
#line 1 "@CANARIES@/secret"
int mistake = no_such_name;
