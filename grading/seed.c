#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include <nettle/hmac.h>
#include <nettle/sha2.h>

#include "seed.h"

static void write_hex(const uint8_t bytes[SHA256_DIGEST_SIZE], char text[65]) {
    int i;

    for (i = 0; i < SHA256_DIGEST_SIZE; i++)
        sprintf(text + (size_t)2 * i, "%02x", bytes[i]);
}

uint64_t seed_of(const char *secret, const char *sha256, const char *step, const char *kind,
                 int repeat) {
    uint8_t key[SHA256_DIGEST_SIZE] = {0}, digest[SHA256_DIGEST_SIZE];
    struct hmac_sha256_ctx state;
    char text[192];
    uint64_t seed = 0;
    int i, length;

    for (i = 0; i < SHA256_DIGEST_SIZE; i++)
        sscanf(secret + (size_t)2 * i, "%2hhx", &key[i]);
    length = snprintf(text, sizeof text, "%s %s %s %d", sha256, step, kind, repeat);
    hmac_sha256_set_key(&state, sizeof key, key);
    hmac_sha256_update(&state, (size_t)length, (const uint8_t *)text);
    hmac_sha256_digest(&state, sizeof digest, digest);
    for (i = 0; i < 6; i++)
        seed = seed << 8 | digest[i];
    return seed;
}

int seed_secret(char secret[65]) {
    uint8_t bytes[SHA256_DIGEST_SIZE];

    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return 0;
    write_hex(bytes, secret);
    return 1;
}

void seed_sha256(const char *text, size_t bytes, const char *other, char sum[65]) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx state;

    sha256_init(&state);
    sha256_update(&state, bytes, (const uint8_t *)text);
    if (other) {
        sha256_update(&state, 1, (const uint8_t *)"");
        sha256_update(&state, strlen(other), (const uint8_t *)other);
    }
    sha256_digest(&state, sizeof digest, digest);
    write_hex(digest, sum);
}
