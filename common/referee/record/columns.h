/* The columns of the record's two files. They stand here alone: draw.sh reads this file. */
#ifndef COLUMNS_H
#define COLUMNS_H

#define COLUMNS(FIRST, NEXT)                                                                       \
    FIRST(time_utc)                                                                                \
    NEXT(commit)                                                                                   \
    NEXT(host)                                                                                     \
    NEXT(cpu)                                                                                      \
    NEXT(gpu)                                                                                      \
    NEXT(driver)                                                                                   \
    NEXT(compiler)                                                                                 \
    NEXT(flags)                                                                                    \
    NEXT(backend)                                                                                  \
    NEXT(part)                                                                                     \
    NEXT(step)                                                                                     \
    NEXT(variant)                                                                                  \
    NEXT(source)                                                                                   \
    NEXT(n)                                                                                        \
    NEXT(iterations)                                                                               \
    NEXT(repeats)                                                                                  \
    NEXT(seconds_median)                                                                           \
    NEXT(seconds_min)                                                                              \
    NEXT(seconds_max)                                                                              \
    NEXT(rate_gps)                                                                                 \
    NEXT(limit_share)                                                                              \
    NEXT(speedup_serial)                                                                           \
    NEXT(speedup_previous)                                                                         \
    NEXT(first_wrong_decimal)                                                                      \
    NEXT(error_l2)                                                                                 \
    NEXT(error_p99)                                                                                \
    NEXT(error_max)                                                                                \
    NEXT(verdict)                                                                                  \
    NEXT(run)                                                                                      \
    NEXT(problem)                                                                                  \
    NEXT(distribution)                                                                             \
    NEXT(seed)                                                                                     \
    NEXT(threads)                                                                                  \
    NEXT(clock)                                                                                    \
    NEXT(sm_mhz)                                                                                   \
    NEXT(limit_name)                                                                               \
    NEXT(limit_gps)                                                                                \
    NEXT(decimals)                                                                                 \
    NEXT(energy_j)

#define COLUMN_NAME(name) #name
#define NEXT_NAME(name)   "," #name
#define ROWS_HEADER       COLUMNS(COLUMN_NAME, NEXT_NAME)
#define FACTS_HEADER      "run,step,variant,name,value,unit,source"

#endif
