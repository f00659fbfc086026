#ifndef REFEREE_JSON_H
#define REFEREE_JSON_H

/* Writes a JSON value on stdout, in as many calls as it takes; commas and line ends come by
 * themselves:
 *
 *     print_json("{ step=%s rows=[", name);
 *     print_json("{ n=%d seconds=%.6g right=%c }", n, seconds, right);
 *     print_json("] note=null }");
 *
 * Names may be a %s. Conversions are %s, %d, %lu, those of a double, of which one that is not
 * finite becomes null, and %c, which becomes true or false. A word without one stays as it is. */
__attribute__((format(printf, 1, 2))) void print_json(const char *format, ...);

#endif
