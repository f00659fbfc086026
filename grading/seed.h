/* Seeds of the inputs that a submission is checked on: nobody knows them beforehand, and the
 * gradebook's secret repeats them. */
#ifndef SEED_H
#define SEED_H

#include <stdint.h>

/* The first 48 bits of HMAC-SHA256 with the gradebook's secret (64 hex digits) over
 * "SHA256 STEP KIND REPEAT". */
uint64_t seed_of(const char *secret, const char *sha256, const char *step, const char *kind,
                 int repeat);

/* 64 hex digits from the system's random numbers; 0 if it gives none. */
int seed_secret(char secret[65]);

/* SHA-256 of two texts, the second after a 0 byte unless NULL, as 64 hex digits. */
void seed_sha256(const char *text, size_t bytes, const char *other, char sum[65]);

#endif
