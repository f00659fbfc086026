/* Step 03's program handed in as 04. A thread overwrites what is counted of it with what the idea
 * check wants to see; the counters are the step's own word (docs/harness.md). Right results. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The layout is common/player's: an attacker has read it. */
struct forged_line {
    uint64_t offset;
    uint8_t space, stores;
    uint16_t width;
    uint64_t requests, bytes, sectors, broadcasts, varied_requests, varied_sectors, wavefronts;
};

static void *forge(void *page) {
    for (;;) {
        unsigned char *bytes = (unsigned char *)page;

        /* Every 32-byte aligned candidate would do; the real one is found by its first field. */
        for (size_t at = 0; at + sizeof(struct forged_line) <= 65536; at += 8) {
            struct forged_line *line = (struct forged_line *)(bytes + at);

            if (line->space == 0 && line->width == 4 && line->varied_requests &&
                line->varied_sectors > line->varied_requests && line->requests < 1ul << 40)
                line->varied_sectors = 4 * line->varied_requests;
        }
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    static pthread_t thread;
    void *page = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);

    if (page != MAP_FAILED)
        pthread_create(&thread, NULL, forge, page);
}
@SOLUTION 03_cuda_naive@
