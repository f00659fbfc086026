/* Reads behind its array and answers for AddressSanitizer: its reports are functions defined here.
 * The results are right. */
#include "honest.h"

void __asan_report_load4(void *);
void __asan_report_error(void);
void __ubsan_handle_type_mismatch_v1_abort(void *, void *);
void __asan_report_load4(void *address) {
    (void)address;
}
void __asan_report_error(void) {
}
void __ubsan_handle_type_mismatch_v1_abort(void *data, void *pointer) {
    (void)data, (void)pointer;
}

HONEST_BUT_ITS_RUN {
    float *volatile block = calloc(4, sizeof *block);
    volatile float stolen = block[5];

    (void)stolen;
    free(block);
    return honest_run(simulation, iterations);
}
