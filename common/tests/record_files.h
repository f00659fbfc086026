/* The headers of a record's two files. */
#ifndef RECORD_FILES_H
#define RECORD_FILES_H

#include "files.h"
#include "referee/record/record.h"

/* As the design has them. A column that moves or is renamed makes every record there is a foreign
 * one, so these are not taken from record.h. */
#define ROWS_HEADER                                                                                \
    "time_utc,commit,host,cpu,gpu,driver,compiler,flags,backend,part,step,variant,source,n,"       \
    "iterations,repeats,seconds_median,seconds_min,seconds_max,rate_gps,limit_share,"              \
    "speedup_serial,speedup_previous,first_wrong_decimal,error_l2,error_p99,error_max,verdict,"    \
    "run,problem,distribution,seed,threads,clock,sm_mhz,limit_name,limit_gps,decimals,energy_j\n"
#define FACTS_HEADER "run,step,variant,name,value,unit,source\n"

enum { LINE_BYTES = 1024 };

#endif
