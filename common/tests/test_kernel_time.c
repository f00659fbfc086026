/* From what a multiprocessor takes to the time of a kernel: blocks, memory, what would change it,
 * and copies. */
#include "known_code.h"

#include "referee/estimate/occupancy.h"
#include "referee/estimate/what_if.h"

GROUP(read_gpu, NULL)

/* Six blocks of 256 threads with 40 registers; three rounds of them, of which the last is played
 * apart; then many rounds, shared out evenly. */
TEST(blocks_come_in_rounds) {
    struct instruction code = make(FFMA, 4, NONE, 0);
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path paths[8];
    struct kernel kernel = {.code = &code, .code_count = 1, .paths = paths, .path_count = 8};
    struct kernel_time time;
    double one;
    int k;

    for (k = 0; k < 8; k++)
        paths[k] = (struct path){items, 2};
    kernel.threads = 256;
    kernel.registers = 40;
    kernel.blocks = 6 * gpu.multiprocessors;
    code.issued = 8 * TIMES * kernel.blocks;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_int_equal(time.resident, 6);
    assert_true(fabs(time.waves - 1) < 1e-9);
    assert_string_equal(time.limit, "issue");
    one = time.seconds - 1e-6 * gpu.kernel_us;
    assert_cycles(one * 1e6 * gpu.clock_mhz, 6 * 8 / 4 * TIMES);
    code.issued += 8 * TIMES;
    kernel.blocks++; /* one multiprocessor has a seventh: as long as a chain takes */
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_cycles((time.seconds - 1e-6 * gpu.kernel_us - one) * 1e6 * gpu.clock_mhz, 4 * TIMES);
    kernel.blocks = 60 * gpu.multiprocessors;
    code.issued = 8 * TIMES * kernel.blocks;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_true(fabs((time.seconds - 1e-6 * gpu.kernel_us) / one - 10) < 0.01);
}

/* Blocks of 32 threads with few registers. */
static struct kernel of_one_warp(struct instruction *code, struct path *path) {
    return (struct kernel){.code = code,
                           .code_count = 1,
                           .paths = path,
                           .path_count = 1,
                           .threads = 32,
                           .registers = 16};
}

/* The block whose path is played issues half of what blocks issue in the mean. */
TEST(blocks_are_as_long_as_in_the_mean) {
    struct instruction code = make(FFMA, 4, NONE, 0);
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path path = {items, 2};
    struct kernel kernel = of_one_warp(&code, &path);
    double seconds[2];
    int k;

    kernel.blocks = gpu.multiprocessors;
    for (k = 0; k < 2; k++) {
        code.issued = kernel.blocks * TIMES * (k + 1);
        seconds[k] = kernel_estimate(&kernel, &gpu, ROOM).seconds - 1e-6 * gpu.kernel_us;
    }
    assert_true(fabs(seconds[1] / seconds[0] - 2) < 1e-9);
}

/* A block whose warp takes a root after the other: the next begins when another has ended. */
TEST(a_block_in_the_place_of_another_begins_later) {
    struct instruction code = make(MUFU, 1, 0, 1);
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path path = {items, 2};
    struct kernel kernel = of_one_warp(&code, &path);
    double whole = 1e-6 * gpu.kernel_us, cycle = 1e-6 / gpu.clock_mhz;
    struct gpu_model slower = gpu, quick = gpu;
    struct kernel_time time;

    kernel.blocks = gpu.multiprocessors;
    code.issued = TIMES * kernel.blocks;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_cycles((time.seconds - whole) / cycle, gpu.xu_latency * TIMES);
    kernel.blocks = 2 * time.resident * gpu.multiprocessors;
    code.issued = TIMES * kernel.blocks;
    quick.dispatch_cycles = slower.dispatch_cycles = 0;
    slower.block_cycles += 1000;
    time = kernel_estimate(&kernel, &quick, ROOM);
    assert_true(time.played.issuing < 0.45);
    assert_cycles((kernel_estimate(&kernel, &slower, ROOM).seconds - time.seconds) / cycle,
                  1000 * (1 - time.played.issuing));
    kernel.blocks = 1e7; /* far more than the multiprocessors can take so fast */
    code.stall = 1;
    code.issued = kernel.blocks;
    items[1].times = 1;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_string_equal(time.limit, "the starts of blocks");
    assert_true(fabs(time.seconds - whole - 1e7 * gpu.dispatch_cycles * cycle) < 1e-6);
}

/* The change that leaves least of the time of a chain of one instruction, and how much. */
static struct what_if best_for(struct instruction code, int registers, int blocks) {
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path path = {items, 2};
    struct kernel kernel = of_one_warp(&code, &path);
    struct gpu_model quick = gpu; /* blocks as short as these would be bound by their starts */
    struct what_if found[CHANGES];
    int k;

    quick.dispatch_cycles = 0;
    kernel.registers = registers;
    kernel.blocks = blocks;
    code.issued = blocks * TIMES;
    code.sectors *= code.issued;
    code.wavefronts *= code.issued;
    *(code.access == ACCESS_STORES ? &kernel.stored : &kernel.loaded) = code.sectors;
    what_if(&kernel, &quick, found);
    for (k = 1; k < CHANGES; k++)
        assert_true(found[k - 1].left <= found[k].left);
    return found[0];
}

TEST(what_would_change_a_kernel_most_is_what_it_waits_for) {
    struct instruction load = make(LDG, 1, 0, 1), shared = make(LDS, 1, 0, 1);
    struct what_if best;

    load.sectors = shared.wavefronts = 1;
    best = best_for(load, 16, 100);
    assert_string_equal(best.change, "loads that find everything in L1");
    assert_true(fabs(best.left - gpu.l1_latency / gpu.l2_latency) < 0.1);
    best = best_for(shared, 16, 100);
    assert_string_equal(best.change, "shared memory that takes no time");
    best = best_for(make(MUFU, 1, 0, 1), 16, 100);
    assert_string_equal(best.change, "roots and conversions that take no time");
    best = best_for(make(IADD3, 1, NONE, 0), 16, 132 * 32);
    assert_string_equal(best.change, "integer instructions at twice the rate");
    best = best_for(make(FFMA, 4, NONE, 0), 240, 132 * 64); /* 8 warps at a time, of 64 */
    assert_string_equal(best.change, "half the registers and shared memory per block");
    assert_true(fabs(best.left - 0.5) < 0.1);
    load.sectors = 32;
    load.sets = NONE;
    load.waits = 0;
    load.access = ACCESS_STORES;
    best = best_for(load, 16, 1000000);
    assert_string_equal(best.change, "DRAM with twice the bandwidth");
}

TEST(memory_bounds_a_kernel_that_streams) {
    struct instruction code[] = {make(LDG, 1, 0, 1)};
    struct path_item items[] = {{0, 1, 0}};
    struct path path = {items, 1};
    struct kernel kernel = {.code = code,
                            .code_count = 1,
                            .paths = &path,
                            .path_count = 1,
                            .threads = 32,
                            .registers = 16,
                            .blocks = 1e6,
                            .loaded = 1e8};
    struct kernel_time time;

    code[0].issued = 1e6;
    code[0].sectors = 1e8;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_string_equal(time.limit, "DRAM");
    assert_true(fabs(time.seconds - 32 * 1e8 / (gpu.dram_gbps * 1e9)) < 0.02 * time.seconds);
    kernel.rewritten = 1e8; /* and is written back */
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_true(fabs(time.seconds - 32 * 1e8 / (gpu.dram_gbps * 1e9) -
                     32 * 1e8 / (gpu.written_gbps * 1e9)) < 0.02 * time.seconds);
    kernel.rewritten = 0;
    kernel.loaded = 1e5; /* the same few sectors again and again: in L2 */
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_string_equal(time.limit, "L2");
    assert_true(fabs(time.seconds - 1e8 / gpu.l2_sectors / (1e6 * gpu.clock_mhz)) <
                0.02 * time.seconds);
    kernel.loaded = code[0].sectors =
        8e5; /* each once, and they fit L2: there from the run before */
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_true(time.dram_share == 0);
    kernel.loaded = code[0].sectors = 1e8;
    code[0].access = ACCESS_ATOMIC;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_true(fabs(time.seconds - 1e8 / gpu.atomics / (1e6 * gpu.clock_mhz)) <
                0.02 * time.seconds);
}

TEST(copies_take_a_start_and_their_bytes) {
    assert_true(fabs(copy_estimate(&gpu, 1.3e9, 0) - 0.1 - 1e-6 * gpu.copy_pageable_us) < 1e-4);
    assert_true(copy_estimate(&gpu, 1e9, 1) < copy_estimate(&gpu, 1e9, 0));
    assert_true(copy_estimate(&gpu, 0, 1) > 1e-6);
}

TEST(every_gpu_has_all_parameters) {
    static const char *const names[] = {"t4", "a100", "rtx4090", "h100", "h200"};
    struct gpu_model other;
    char message[256];
    size_t k;

    for (k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(gpu_model_read(&other, names[k], message), 0);
        assert_true(occupancy_warps(other.architecture) > 0);
        assert_int_equal(other.validated, !strcmp(names[k], "h200"));
    }
    assert_int_equal(gpu_model_read(&other, "h300", message), 1);
    assert_int_equal(gpu_model_read(&other, "../gpu_model.c", message), 1);
}
