/* Measures how long an instruction takes if its operands lie in one bank of the register file. CUDA
 * C cannot choose registers, so this program writes other register numbers into the machine code of
 * its own kernels, loads it, and measures the cycles of a scheduler per instruction:
 *
 *     nvcc -arch=sm_90 -cubin -o banks.cubin banks.cu && nvcc -arch=sm_90 -o banks banks.cu -lcuda
 *     ./banks banks.cubin
 *
 * For compute capabilities 7.0 to 9.0, whose instructions have 128 bits. It prints lines `name
 * value unit`, as executed.sh does. The values in the registers do not matter: only the time
 * does. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS = 32, TIMES = 8, ROUNDS = 200, WARPS = 16, THREADS = 32 * WARPS };

/* Bits of an instruction: the operation in 0 to 11, registers d, a and b from 16, 24 and 32, c from
 * 64; from 105 the cycles to wait before the next one, from 122 which operands are kept for it. */
enum { FFMA = 0x223, FADD = 0x221 };

#define KERNEL(name, text, ...)                                                                    \
    extern "C" __global__ void name(long long *cycles, float *sink, float start) {                 \
        float r[CHAINS], sum = 0;                                                                  \
        for (int i = 0; i < CHAINS; i++)                                                           \
            r[i] = start * i;                                                                      \
        __syncthreads();                                                                           \
        long long begin = clock64();                                                               \
        for (int round = 0; round < ROUNDS; round++)                                               \
            _Pragma("unroll") for (int again = 0; again < TIMES; again++)                          \
                _Pragma("unroll") for (int i = 0; i < CHAINS; i++) asm volatile(                   \
                    text : "+f"(r[i]) : "f"(r[(i + 5) % CHAINS]), "f"(r[(i + 11) % CHAINS]));      \
        __syncthreads();                                                                           \
        if (threadIdx.x == 0)                                                                      \
            *cycles = clock64() - begin;                                                           \
        for (int i = 0; i < CHAINS; i++)                                                           \
            sum += r[i];                                                                           \
        sink[threadIdx.x] = sum;                                                                   \
    }

KERNEL(multiply_add, "fma.rn.f32 %0, %1, %2, %0;")
KERNEL(add, "add.f32 %0, %1, %2;")

static void check(CUresult result, const char *call) {
    const char *words = "?";

    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &words);
    fprintf(stderr, "banks: %s: %s\n", call, words);
    exit(1);
}
#define CHECK(call) check(call, #call)

static int byte_of(const uint64_t *code, int bit) {
    return code[bit / 64] >> bit % 64 & 255;
}

static void set_byte(uint64_t *code, int bit, int value) {
    code[bit / 64] = (code[bit / 64] & ~(255ull << bit % 64)) | (uint64_t)value << bit % 64;
}

/* Changes the operands of all instructions of one operation to registers with these residues modulo
 * 4, out of the registers that the instructions write. Each then waits one cycle before the next
 * one and keeps no operand. */
static void patch(unsigned char *file, size_t bytes, int operation, const int residues[3]) {
    static const int places[3] = {24, 32, 64};
    int registers[4][256], counts[4] = {0}, seen[256] = {0}, found = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0; at + 16 <= bytes; at += 16) {
            uint64_t code[2];

            memcpy(code, file + at, 16);
            if ((code[0] & 0xffff) != (0x7000u | (unsigned)operation))
                continue;
            int own = byte_of(code, 16);
            if (!pass && !seen[own]) {
                seen[own] = 1;
                registers[own % 4][counts[own % 4]++] = own;
            }
            if (!pass)
                continue;
            for (int operand = 0; operand < (operation == FFMA ? 3 : 2); operand++) {
                int residue = residues[operand];
                set_byte(code, places[operand],
                         registers[residue][(found * 3 + operand) % counts[residue]]);
            }
            code[1] &= ~(15ull << 58);                         /* keep nothing */
            code[1] = (code[1] & ~(15ull << 41)) | 1ull << 41; /* wait one cycle */
            memcpy(file + at, code, 16);
            found++;
        }
}

static double cycles_of(const unsigned char *file, const char *name, CUdeviceptr cycles,
                        CUdeviceptr sink) {
    CUmodule module;
    CUfunction function;
    float start = 1;
    void *arguments[] = {&cycles, &sink, &start};
    long long taken = 0, best = 0;

    CHECK(cuModuleLoadData(&module, file));
    CHECK(cuModuleGetFunction(&function, module, name));
    for (int repeat = 0; repeat < 5; repeat++) {
        CHECK(cuLaunchKernel(function, 1, 1, 1, THREADS, 1, 1, 0, 0, arguments, NULL));
        CHECK(cuCtxSynchronize());
        CHECK(cuMemcpyDtoH(&taken, cycles, sizeof taken));
        best = !repeat || taken < best ? taken : best;
    }
    CHECK(cuModuleUnload(module));
    return (double)best / ((double)ROUNDS * TIMES * CHAINS * WARPS / 4);
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    CUdevice device;
    CUcontext context;
    CUdeviceptr cycles, sink;
    long bytes;

    if (!in || fseek(in, 0, SEEK_END) || (bytes = ftell(in)) <= 0 || fseek(in, 0, SEEK_SET)) {
        fprintf(stderr, "usage: banks banks.cubin\n");
        return 3;
    }
    unsigned char *file = (unsigned char *)malloc(bytes), *patched = (unsigned char *)malloc(bytes);
    if (!file || !patched || fread(file, 1, bytes, in) != (size_t)bytes)
        return 1;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuMemAlloc(&cycles, sizeof(long long)));
    CHECK(cuMemAlloc(&sink, THREADS * sizeof(float)));

    /* By the number of operands in the fuller one of two banks, of even and of odd registers: the
     * least and the most cycles over all residues modulo 4. Where the two are equal, there are two
     * banks and no more. */
    double least[2][4], most[2][4] = {{0}};
    for (int is_fma = 0; is_fma < 2; is_fma++) {
        for (int combination = 0; combination < (is_fma ? 64 : 16); combination++) {
            int residues[3] = {combination % 4, combination / 4 % 4, combination / 16};
            int odd = residues[0] % 2 + residues[1] % 2 + (is_fma ? residues[2] % 2 : 0);
            int even = (is_fma ? 3 : 2) - odd, fuller = odd > even ? odd : even;

            memcpy(patched, file, bytes);
            patch(patched, bytes, is_fma ? FFMA : FADD, residues);
            double value = cycles_of(patched, is_fma ? "multiply_add" : "add", cycles, sink);
            if (!most[is_fma][fuller] || value < least[is_fma][fuller])
                least[is_fma][fuller] = value;
            if (value > most[is_fma][fuller])
                most[is_fma][fuller] = value;
        }
        for (int fuller = 1; fuller < 4; fuller++)
            if (most[is_fma][fuller] > 0)
                printf("bank_%s_%d_least %.3f cycles/instruction\n"
                       "bank_%s_%d_most %.3f cycles/instruction\n",
                       is_fma ? "ffma" : "fadd", fuller, least[is_fma][fuller],
                       is_fma ? "ffma" : "fadd", fuller, most[is_fma][fuller]);
    }
    printf("bank_ffma_as_compiled %.3f cycles/instruction\n",
           cycles_of(file, "multiply_add", cycles, sink));
    return 0;
}
