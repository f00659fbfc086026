/* Executes words of machine code on one warp, without a GPU, nvcc or a cubin. On stdin:
 *
 *     sm 90                 the architecture
 *     r 4 10 1              register 4 is 10 + 1 * lane; `f 4 1.5 0.25` the same for floats,
 *                           `d 4 1.5 0.25` for doubles in registers 4 and 5
 *     u 4 7                 a uniform register; `p 0 ff` a predicate's lanes, `up 0 1` a uniform
 *                           one
 *     c 52 7                bytes 52 to 55 of constant bank 0
 *     i LOW HIGH            an instruction
 *     segment 5 3 1         a warp's path: three instructions from 5 on, then a jump back
 *     show r 4              or f 4, d 4, p 0, u 4; s 1024, a word of shared memory; path 0;
 *                           wavefronts 2, those of instruction 2; sectors 0, how many were loaded
 *                           first, stored first, and stored after they had been loaded
 *
 * `show` lines are printed after the code, which ends with an EXIT, ran. */
#include "sass_operands.h"

#include <stdio.h>
#include <string.h>

using namespace cpucuda;

static sass_path path;

static void show(const sass_warp &warp, const char *what, unsigned k) {
    if (!strcmp(what, "path")) {
        for (uint64_t item : path.items)
            printf(item & SASS_REPEAT ? "r%u*%u " : "%u+%u ", (unsigned)(item >> 32) & 0x7fffffff,
                   (unsigned)item);
        printf("\n");
        return;
    }
    if (!strcmp(what, "wavefronts")) {
        printf("wavefronts %u\n", (unsigned)warp.block->run->counts[k].wavefronts);
        return;
    }
    if (!strcmp(what, "sectors")) {
        const sass_touched &touched = warp.block->run->touched;

        printf("sectors %g %g %g\n", touched.loaded, touched.stored, touched.rewritten);
        return;
    }
    if (!strcmp(what, "s")) {
        uint32_t word;

        memcpy(&word, &warp.block->shared[k], 4);
        printf("s%u %u\n", k, word);
        return;
    }
    if (!strcmp(what, "p")) {
        printf("p%u %08x\n", k, warp.own.p[k]);
        return;
    }
    if (!strcmp(what, "u")) {
        printf("u%u %x\n", k, warp.uniform.r[k][0]);
        return;
    }
    printf("%s%u", what, k);
    for (int lane = 0; lane < 32; lane++) {
        float value;

        memcpy(&value, &warp.own.r[k][lane], 4);
        if (*what == 'd')
            printf(" %.15g", pair_of(warp.own, k, lane));
        else if (*what == 'f')
            printf(" %g", (double)value);
        else
            printf(" %d", (int)warp.own.r[k][lane]);
    }
    printf("\n");
}

int main() {
    static sass_kernel kernel;
    static launch launched;
    sass_run run = {&kernel, 90, &launched, std::vector<char>(1024), {}, {}, {}, false};
    sass_cache cache(4096);
    sass_block block;
    std::vector<std::pair<std::string, unsigned>> shown;
    char line[256], what[16];

    kernel.name = "words";
    launched.grid = dim3(1);
    launched.block = dim3(32);
    block.begin(&run, &cache, {0, 0, 0}, false);
    sass_warp &warp = block.warps[0];

    while (fgets(line, sizeof line, stdin)) {
        unsigned k, mask;
        long a, b = 0;
        double x, y = 0;
        unsigned long long low, high;

        if (sscanf(line, "sm %d", &run.architecture) == 1)
            continue;
        if (sscanf(line, "r %u %ld %ld", &k, &a, &b) >= 2) {
            for (int lane = 0; lane < 32; lane++)
                warp.own.r[k][lane] = (uint32_t)(a + b * lane);
        } else if (sscanf(line, "f %u %lf %lf", &k, &x, &y) >= 2) {
            for (int lane = 0; lane < 32; lane++) {
                const float value = (float)(x + y * lane);
                memcpy(&warp.own.r[k][lane], &value, 4);
            }
        } else if (sscanf(line, "d %u %lf %lf", &k, &x, &y) >= 2) {
            for (int lane = 0; lane < 32; lane++)
                set_pair(warp.own, k, lane, x + y * lane);
        } else if (sscanf(line, "u %u %ld", &k, &a) == 2) {
            for (int lane = 0; lane < 32; lane++)
                warp.uniform.r[k][lane] = (uint32_t)a;
        } else if (sscanf(line, "up %u %ld", &k, &a) == 2) {
            warp.uniform.p[k] = a ? ~0u : 0;
        } else if (sscanf(line, "p %u %x", &k, &mask) == 2) {
            warp.own.p[k] = mask;
        } else if (sscanf(line, "c %u %ld", &k, &a) == 2) {
            const uint32_t value = (uint32_t)a;
            memcpy(&run.bank0[k], &value, 4);
        } else if (sscanf(line, "i %llx %llx", &low, &high) == 2) {
            kernel.code.push_back({low, high});
        } else if (sscanf(line, "segment %u %x %ld", &k, &mask, &a) == 3) {
            path.add(k, mask, a);
        } else if (sscanf(line, "show %15s %u", what, &k) == 2) {
            shown.push_back({what, k});
        }
    }
    kernel.code.push_back({0x000000000000794d, 0x000fea0003800000}); /* EXIT */
    run.counts.assign(kernel.code.size(), {});
    run.only.assign(kernel.code.size(), 0);
    while (!block.ended() && block.advance())
        ;
    for (const auto &one : shown)
        show(block.warps[0], one.first.c_str(), one.second);
    return 0;
}
