/* A compiler shows the line of the file that #line names. */
#include "honest.h"

HONEST_STEP
#line 1 "@CANARIES@/secret"
int mistake = no_such_name;
