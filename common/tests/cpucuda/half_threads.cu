/* Loads, atomic sums, and shuffles of a warp whose 32 values are known. */
#include "half.h"
#include "half_reference.h"

template <class T> __device__ unsigned bits_of_any(T value) {
    unsigned bits = 0;

    memcpy((void *)&bits, (const void *)&value, sizeof value);
    return bits;
}

/* What a lane brings: no two lanes the same, in neither half. */
template <class T> __device__ unsigned brought(int lane) {
    return 0x3c01u + lane + (sizeof(T) == 2 ? 0 : (0x4400u + lane) << 16);
}
template <class T> __device__ T value_of(int lane) {
    unsigned bits = brought<T>(lane);
    T value;

    memcpy((void *)&value, &bits, sizeof value);
    return value;
}

template <class T> __device__ void try_shuffles(int lane, int width, int step) {
    int group = lane / width * width,
        source[4] = {group + step % width, lane - step, lane + step, lane ^ step};
    T mine = value_of<T>(lane), got[4];

    if (source[1] < group)
        source[1] = lane;
    for (int i = 2; i < 4; i++) {
        if (source[i] >= group + width)
            source[i] = lane;
    }
    got[0] = __shfl_sync(0xffffffff, mine, step, width);
    got[1] = __shfl_up_sync(0xffffffff, mine, step, width);
    got[2] = __shfl_down_sync(0xffffffff, mine, step, width);
    got[3] = __shfl_xor_sync(0xffffffff, mine, step, width);
    for (int i = 0; i < 4; i++)
        check(bits_of_any(got[i]) == brought<T>(source[i]),
              "shuffle %d by %d, width %d, of lane %d", i, step, width, lane);
}

template <class T> __global__ void shuffles() {
    int lane = threadIdx.x % 32;

    for (int width = 1; width <= 32; width *= 2) {
        for (int step = 0; step < 32; step++)
            try_shuffles<T>(lane, width, step);
    }
    check(bits_of_any(__shfl_sync(0xffffffff, value_of<T>(lane), 40)) == brought<T>(8),
          "__shfl_sync of lane 40 is lane 8");
}

/* Ones that cancel, by many threads at the same time. */
__global__ void add_ones(half2 *sums) {
    for (int i = 0; i < 10000; i++)
        atomicAdd(sums, i % 2 ? __floats2half2_rn(1, -2) : __floats2half2_rn(-1, 2));
}

__global__ void add_two(half *sum, half *before) {
    *before = atomicAdd(sum, __ldg(sum + 1));
}

void test_threads(void) {
    half2 *sums = nullptr, zeros = __float2half2_rn(0);
    half *sum = nullptr, numbers[3] = {1.0f, 2.0f, 0.0f};

    shuffles<half><<<1, 64>>>();
    shuffles<half2><<<1, 64>>>();
    check(!cudaMalloc(&sums, sizeof zeros) && !cudaMalloc(&sum, sizeof numbers) &&
              !cudaMemcpy(sums, &zeros, sizeof zeros, cudaMemcpyHostToDevice) &&
              !cudaMemcpy(sum, numbers, sizeof numbers, cudaMemcpyHostToDevice),
          "memory");
    add_two<<<1, 1>>>(sum, sum + 2);
    add_ones<<<4, 4>>>(sums);
    check(!cudaMemcpy(numbers, sum, sizeof numbers, cudaMemcpyDeviceToHost) &&
              !cudaMemcpy(&zeros, sums, sizeof zeros, cudaMemcpyDeviceToHost),
          "copies");
    check((float)numbers[0] == 3 && (float)numbers[2] == 1, "atomicAdd");
    check(__low2float(zeros) == 0 && __high2float(zeros) == 0, "atomicAdd by many: %g, %g",
          __low2float(zeros), __high2float(zeros));
}

/* Lane 0 is not in its mask. */
__global__ void wrong_mask(int operation) {
    half value = 1.0f;

    if (operation == 0)
        __shfl_sync(0xfffffffe, value, 1);
    else if (operation == 1)
        __shfl_up_sync(0xfffffffe, value, 1);
    else if (operation == 2)
        __shfl_down_sync(0xfffffffe, value, 1);
    else
        __shfl_xor_sync(0xfffffffe, value, 1);
}

void make_mistake(int operation) {
    wrong_mask<<<1, 1>>>(operation);
    cudaDeviceSynchronize();
}
