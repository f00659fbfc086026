#include "zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

long long utc_seconds(const char *text) {
    struct tm tm = {0}, again;
    char written[32];
    time_t seconds;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
               &tm.tm_min, &tm.tm_sec) != 6)
        return -1;
    tm.tm_year -= 1900;
    tm.tm_mon--;
    seconds = timegm(&tm);
    /* timegm() takes 30 February for a day of March; and text may go on. */
    if (seconds < 0 || !gmtime_r(&seconds, &again) ||
        !strftime(written, sizeof written, "%Y-%m-%dT%H:%M:%SZ", &again) || strcmp(written, text))
        return -1;
    return seconds;
}

int zone_is_known(const char *zone) {
    const char *folder = getenv("TZDIR");
    char path[512], begin[5] = "";
    FILE *file;

    if (!strcmp(zone, "UTC"))
        return 1;
    if (!*zone || *zone == '/' || strstr(zone, ".."))
        return 0;
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/share/zoneinfo", zone);
    if (!(file = fopen(path, "r")))
        return 0;
    if (fread(begin, 1, 4, file) != 4)
        *begin = 0;
    fclose(file);
    return !strcmp(begin, "TZif");
}

/* The C library knows one zone at a time. */
static struct tm local_time(const char *zone, long long seconds) {
    const char *before = getenv("TZ");
    char *kept = before ? strdup(before) : NULL;
    time_t time = (time_t)seconds;
    struct tm parts = {0};

    setenv("TZ", strcmp(zone, "UTC") ? zone : "UTC0", 1);
    tzset();
    localtime_r(&time, &parts);
    if (kept)
        setenv("TZ", kept, 1);
    else
        unsetenv("TZ");
    tzset();
    free(kept);
    return parts;
}

/* How far clocks are ahead of UTC. */
static long long ahead(const char *zone, long long seconds) {
    return local_time(zone, seconds).tm_gmtoff;
}

long long zone_seconds(const char *zone, long long clock) {
    enum { DAY = 86400 };
    long long before = clock - ahead(zone, clock - DAY), after = clock - ahead(zone, clock + DAY);
    long long first = before < after ? before : after, last = before < after ? after : before;

    if (first + ahead(zone, first) == clock)
        return first;
    return last + ahead(zone, last) == clock ? last : before;
}

void zone_show(const char *zone, long long seconds, char *text, size_t size) {
    struct tm parts = local_time(zone, seconds);

    strftime(text, size, "%Y-%m-%d %H:%M:%S", &parts);
}
