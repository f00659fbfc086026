/* What the kernels of these tests want beside engine.h. */
#ifndef ENGINE_FOR_TESTS_H
#define ENGINE_FOR_TESTS_H

#include <stddef.h>

namespace cpucuda {

/* Device memory of zeros. */
void *device_memory(size_t bytes);

} // namespace cpucuda

#endif
