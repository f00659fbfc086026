/* Times in UTC and in zones by name, as Europe/Berlin, from the system's table. */
#ifndef ZONE_H
#define ZONE_H

#include <stddef.h>

/* Seconds since 1970 of a time like 2026-11-30T23:59:00Z; -1 if it is none. */
long long utc_seconds(const char *text);

/* Whether this machine knows the zone; UTC is known anywhere. */
int zone_is_known(const char *zone);

/* Seconds since 1970 of a clock in that zone that shows the time `clock` does in UTC. An hour that
 * comes twice, as clocks go back, is the first one: nobody is late by that. An hour that is left
 * out counts as if clocks had not gone forward yet. */
long long zone_seconds(const char *zone, long long clock);

/* What a clock in that zone shows: 2026-11-21 17:45:00. */
void zone_show(const char *zone, long long seconds, char *text, size_t size);

#endif
