/* Linked to a step's build `device` on a GPU: after every run it times step_enqueue() with CUDA
 * events, in the same process and on what the run left. As many computations stand between two
 * events as take TIMED seconds, so that an event's own microsecond does not count. */
#include <cuda_runtime.h>

#include "cuda_check.h"

extern "C" {
#include "protocol/player.h"
}

static const double TIMED = 0.05;
enum { MOST = 2000 };

/* Seconds of so many computations. */
static double time_of(int repeats) {
    cudaEvent_t begin, end;
    float milliseconds = 0;

    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    CUDA_CHECK(cudaEventRecord(begin, 0));
    step_enqueue(repeats);
    CUDA_CHECK(cudaEventRecord(end, 0));
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CUDA_CHECK(cudaEventDestroy(begin));
    CUDA_CHECK(cudaEventDestroy(end));
    return 1e-3 * milliseconds;
}

extern "C" void device_turn_begins(void) {
}

extern "C" void device_turn_ends(int turn, int status, struct counters *counters) {
    double once, repeats;

    (void)counters;
    if (turn != TURN_RUN || status)
        return;
    once = time_of(1);
    repeats = TIMED / once;
    repeats = repeats > MOST ? MOST : (int)repeats;
    figures->device_seconds = repeats > 1 ? time_of((int)repeats) / repeats : once;
}
