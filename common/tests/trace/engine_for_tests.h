/* What the kernels of these tests want beside engine.h. */
#ifndef ENGINE_FOR_TESTS_H
#define ENGINE_FOR_TESTS_H

#include <stddef.h>

namespace cpucuda {

/* Device memory of zeros. */
void *device_memory(size_t bytes);

/* The wavefronts of requests in shared memory, one hexadecimal digit each: 128 requests for every
 * width (4, 8, 16), loads and then stores. */
int print_wavefronts();

} // namespace cpucuda

#endif
