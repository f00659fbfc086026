extern __shared__ float pool[];
__shared__ int total;

#define RUN(kernel, ...)                                        \
    kernel<<<2, 4, 64>>>( \
        __VA_ARGS__)
#define TILE(T, name, n) __shared__ T name##_tile[n]

struct pair { int a, b; };

#define UNROLL 1
const int four = 4;

constexpr int power_of_two(int n) {
    int power = 1;
    while (n--)
        power *= 2;
    return power;
}
static_assert(power_of_two(3) == 8, "");

__device__ int count_in() {
    return total++;
}

template <int N, bool B, class T> __global__ void __launch_bounds__(N) sums(T *out, pair p) {
    __shared__ T a[N], b, c[2][N];
    alignas(32) __shared__ char aligned[3];
    TILE(T, own, N * 2);
    static_assert(sizeof(a) == N * sizeof(T) && sizeof(c) == 2 * sizeof(a), "");
    static_assert(sizeof(own_tile) == 2 * sizeof(a), "");
    unsigned t = threadIdx.x;

    if ((size_t)aligned % 32)
        return;
    a[t] = T(t), c[1][t] = own_tile[N + t] = T(p.a);
    if (t == 0)
        total = 0;
    count_in();
    p.a += 100; /* this thread's own */
    if (t < blockDim.x - 1)
        return;
    b = 0;
#pragma unroll N
    for (int i = 0; i < N; i++)
        b += a[i] + c[1][i] + own_tile[N + i];
    out[blockIdx.x] = b + total * (B ? 1000 : 0);
}

__global__ void dynamic(int *out, const int *null, long n) {
    double *other = reinterpret_cast<double *>(pool);

    other[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == blockDim.x - 1 && !null)
        out[blockIdx.x] = int(pool == (float *)other) + int(other[n]);
}
__global__ void dynamic(int *out) {
    out[blockIdx.x] = -1;
}

int main() {
    int i = 1, out[2];
    float sum[2];
    void (*pointer)(int *, const int *, long) = dynamic;

    sums<4, (2 > 1)><<<dim3(2, 1), 4>>>(sum, {i++, 2});
    std::printf("%d %g %g\n", i, sum[0], sum[1]); // <<<
    (*pointer)<<<2, 4, 64, nullptr>>>(out, 0, 2);
    std::printf("%s %d %d\n", "<<<__shared__", out[0], out[1]);
    RUN(dynamic, out);
    std::printf("%d %d\n", out[0], out[1]);
    i ? RUN(dynamic, out, nullptr, 3) : (void)0;
    std::printf("%d %d at %d\n", out[0], out[1], __LINE__);
#pragma unroll UNROLL
    while (int left = 3 - i++)
        out[0] += left;
    for (;;)
        if (i++ > 9)
            break;
#pragma unroll (four - 0)
    for (i = 0; i < power_of_two(2); i++)
        out[0]++;
    std::printf("%d turns, unrolled by", cpucuda::turns);
    for (i = 0; cpucuda_unrolled[i]; i += 2)
        std::printf("%s %d at %d", i ? "," : "", cpucuda_unrolled[i + 1], cpucuda_unrolled[i]);
    std::printf("\n");
}
