/* The player of a multiprocessor: code whose cycles are known. */
#include "testing.h"

#include "referee/estimate/model.h"
#include "referee/estimate/occupancy.h"
#include "referee/estimate/unrolled.h"
#include "referee/estimate/what_if.h"

enum { FFMA = 0x223, MUFU = 0x308, LDS = 0x984, BAR = 0xb1d, IADD3 = 0x210, LDG = 0x981 };
enum { STG = 0x986, ATOMG = 0x3a8, MATCH = 0x3a1 };
enum { NONE = 7, TIMES = 200 };

static struct gpu_model gpu;
static double sharers = 132; /* multiprocessors that share L2 */
static double misses;        /* the share of what L2 lacks */

static int read_gpu(void **state) {
    char message[256];

    (void)state;
    return gpu_model_read(&gpu, "h200", message);
}
GROUP(read_gpu, NULL)

/* An instruction of that code, with the promises of the compiler: cycles to the warp's next, the
 * barrier that it sets, and a bit for each that it waits for. Its registers are RZ. */
static struct instruction make(unsigned operation, unsigned stall, unsigned sets, unsigned waits) {
    struct instruction i = {.low = 0xff00ff0000ull << 8 | 0x7000 | operation, .issued = 1};

    i.low |= 0xffull << 32;
    i.high = 0xff | (uint64_t)stall << 41 | (uint64_t)sets << 46 | (uint64_t)NONE << 49 |
             (uint64_t)waits << 52;
    instruction_decode(&i);
    return i;
}

/* Cycles of `warps` warps, one block, that repeat the code. */
static struct played play(struct instruction *code, int count, int warps) {
    struct path_item items[] = {{0, count, 0}, {0, 1, TIMES}};
    struct path *paths = calloc((size_t)warps, sizeof *paths);
    struct kernel kernel = {.code = code, .code_count = count, .paths = paths, .path_count = warps};
    struct played played;
    int w;

    for (w = 0; w < warps; w++)
        paths[w] = (struct path){items, 2};
    played = multiprocessor_play(&kernel, &gpu, 1, misses, sharers, ROOM);
    free(paths);
    return played;
}

/* Within three in a hundred, for how it begins and ends. */
static void assert_cycles(double cycles, double expected) {
    if (fabs(cycles - expected) > 0.03 * expected + 30)
        fail_msg("%g cycles, not %g", cycles, expected);
}

TEST(a_chain_of_multiply_adds_takes_what_the_compiler_says) {
    struct instruction code = make(FFMA, 4, NONE, 0);

    assert_cycles(play(&code, 1, 1).cycles, 4.0 * TIMES); /* 4: Jia et al. 2018, table 4.1 */
}

TEST(many_warps_issue_one_instruction_per_cycle_and_scheduler) {
    struct instruction code = make(FFMA, 4, NONE, 0);
    struct played played = play(&code, 1, 32);

    assert_cycles(played.cycles, 32.0 / 4 * TIMES);
    assert_true(played.issuing > 0.97);
}

TEST(integers_have_half_the_lanes) {
    struct instruction code = make(IADD3, 4, NONE, 0);

    assert_cycles(play(&code, 1, 32).cycles, 2 * 32.0 / 4 * TIMES);
}

TEST(roots_take_their_pipe_for_eight_cycles) {
    struct instruction code = make(MUFU, 1, 0, 0);

    assert_cycles(play(&code, 1, 16).cycles, 8 * 16.0 / 4 * TIMES);
}

TEST(conflicts_of_shared_memory_take_as_many_wavefronts) {
    const double ways[] = {1, 2, 32};
    int k;

    for (k = 0; k < 3; k++) {
        struct instruction code = make(LDS, 1, 0, 0);

        code.wavefronts = ways[k];
        /* One wavefront per cycle; a scheduler's instructions come every other cycle. */
        assert_cycles(play(&code, 1, 16).cycles, 16.0 * TIMES * ways[k]);
    }
}

TEST(loads_that_wait_for_each_other_take_their_latency) {
    struct instruction code = make(LDS, 1, 0, 1);

    code.wavefronts = 1;
    assert_cycles(play(&code, 1, 1).cycles, gpu.shared_latency * TIMES);
}

TEST(what_another_warp_asked_for_is_not_asked_for_again) {
    struct instruction alone = make(LDG, 1, 0, 1), shared = make(LDG, 1, 0, 1);

    alone.issued = shared.issued = alone.sectors = shared.sectors = 8;
    shared.hits = shared.shared = 7;
    alone.hits = 8;
    assert_cycles(play(&shared, 1, 8).cycles, gpu.l2_latency * TIMES);
    assert_cycles(play(&alone, 1, 8).cycles, gpu.l1_latency * TIMES);
    sharers =
        100 * gpu.l2_sectors; /* a sector takes L2 100 cycles: eight of them more than it waits */
    assert_cycles(play(&shared, 1, 8).cycles, (100 + gpu.l2_latency) * TIMES);
    shared.shared = 0;
    shared.hits = 0;
    assert_cycles(play(&shared, 1, 8).cycles, 8 * 100 * TIMES);
    sharers = 132;
}

TEST(atomic_operations_and_what_they_change_are_late) {
    struct instruction alone = make(ATOMG, 1, 0, 1), contended = make(LDG, 1, 0, 1);

    alone.sectors = contended.sectors = 1;
    assert_cycles(play(&alone, 1, 1).cycles, gpu.atomic_latency * TIMES);
    contended.contended = 1;
    assert_cycles(play(&contended, 1, 1).cycles, gpu.contended_latency * TIMES);
}

/* One multiprocessor has L2 to itself. */
TEST(a_multiprocessor_loads_and_stores_at_its_own_pace) {
    struct instruction loads = make(LDG, 1, NONE, 0), stores = make(STG, 1, NONE, 0);
    struct instruction last[] = {make(LDG, 1, 0, 1)};

    loads.sectors = stores.sectors = last[0].sectors = 16;
    sharers = 1;
    {
        struct instruction code[] = {loads, last[0]}, other[] = {stores, last[0]};

        /* The second waits for its own result only, and that comes behind those before it. */
        assert_cycles(play(code, 2, 32).cycles, 2 * 32 * 16 / gpu.loaded_sectors * TIMES);
        assert_cycles(play(other, 2, 32).cycles,
                      32 * (16 / gpu.loaded_sectors + 16 / gpu.stored_sectors) * TIMES);
        /* From and to DRAM, with as many as share it. */
        sharers = 132;
        misses = 1;
        assert_cycles(play(other, 2, 32).cycles, 32 * 16 * 132 * TIMES * 32 * 1e-3 * gpu.clock_mhz *
                                                     (1 / gpu.dram_gbps + 1 / gpu.written_gbps));
        misses = 0;
    }
}

TEST(a_comparison_of_lanes_takes_as_long_as_it_finds_values) {
    struct instruction code = make(MATCH, 1, 0, 0);

    code.wavefronts = 20;
    assert_cycles(play(&code, 1, 8).cycles, 20 * gpu.match_cycles * 8 / 4 * TIMES);
}

TEST(three_operands_of_one_bank_take_a_cycle_more) {
    struct instruction code = make(FFMA, 1, NONE, 0);

    code.conflict = 1;
    assert_cycles(play(&code, 1, 32).cycles, 2 * 32.0 / 4 * TIMES);
}

TEST(a_barrier_waits_for_the_slowest_warp) {
    /* Warp 0 has four roots in a chain before the barrier, the others none. */
    struct instruction code[] = {make(MUFU, 1, 0, 1), make(MUFU, 1, 0, 1), make(BAR, 5, NONE, 1)};
    struct path_item slow[] = {{0, 3, 0}, {0, 1, TIMES}}, fast[] = {{2, 1, 0}, {0, 1, TIMES}};
    struct path paths[] = {{slow, 2}, {fast, 2}};
    struct kernel kernel = {.code = code, .code_count = 3, .paths = paths, .path_count = 2};

    assert_cycles(multiprocessor_play(&kernel, &gpu, 1, 0, 132, ROOM).cycles,
                  (2 * gpu.xu_latency + gpu.barrier_latency) * TIMES);
}

/* Words of step 05's loop, as nvcc 13.0 makes them for three architectures; by hand from what
 * nvdisasm prints of them. */
TEST(promises_of_the_compiler_are_read_from_the_words) {
    static const struct {
        uint64_t low, high;
        enum sass_pipe pipe;
        int stall, sets, waits, bytes;
    } known[] = {
        /* sm_90: LDS.128 R4, [UR10]; S2R R3, SR_CTAID.X; IMAD R30, R3, UR4, R2 */
        {0x0000000aff047984, 0x000e280008000c00, PIPE_LSU, 4, 0, 0, 16},
        {0x0000000000037919, 0x000e220000002500, PIPE_LSU, 1, 0, 0, 0},
        {0x00000004031e7c24, 0x001fe2000f8e0202, PIPE_HEAVY, 1, 7, 1, 0},
        /* sm_80: LDG.E R2, [R16.64]; LDS R0, [UR7+0x400] */
        {0x0000000810027981, 0x000168000c1e1900, PIPE_LSU, 4, 5, 0, 4},
        {0x00040007ff007984, 0x001e280008000800, PIPE_LSU, 4, 0, 1, 4},
        /* sm_75: LDS.U.128 R8, [R3.X4+0x400]; STG.E.SYS [R2+0xc], R9 */
        {0x0004000003087984, 0x000e220000005c00, PIPE_LSU, 1, 0, 0, 16},
        {0x00000c0902007386, 0x000fe8000010e900, PIPE_LSU, 4, 7, 0, 4},
    };
    size_t k;

    for (k = 0; k < sizeof known / sizeof *known; k++) {
        struct instruction i = {.low = known[k].low, .high = known[k].high};

        instruction_decode(&i);
        assert_int_equal(i.pipe, known[k].pipe);
        assert_int_equal(i.stall, known[k].stall);
        assert_int_equal(i.sets, known[k].sets);
        assert_int_equal(i.waits, known[k].waits);
        assert_int_equal(i.bytes, known[k].bytes);
    }
}

TEST(loops_are_cut_by_their_depth) {
    struct path_item items[] = {{7, 2, 0}, {9, 1, 0}, {0, 1, 10}, {0, 3, 5}, {3, 1, 0}};
    const struct path path = {items, 5}; /* 7 8, then 9 ten times, all that five times, 3 */
    struct unrolled all = {0};

    assert_true(unroll(NULL, &path, (struct cut){INFINITY, INFINITY}) == 5 * 12 + 1);
    assert_true(unroll(NULL, &path, (struct cut){4, INFINITY}) == 5 * 6 + 1);
    assert_true(unroll(NULL, &path, (struct cut){INFINITY, 2}) == 2 * 12 + 1);
    assert_true(unroll(&all, &path, (struct cut){1, 2}) == 2 * 3 + 1);
    assert_int_equal(all.count, 7);
    assert_memory_equal(all.code, ((int[]){7, 8, 9, 7, 8, 9, 3}), 7 * sizeof(int));
    free(all.code);
}

/* Inner loops are cut before their iterations are played, and the rest goes at the pace of what
 * was. */
TEST(a_long_path_takes_in_proportion_to_its_length) {
    struct instruction code = make(FFMA, 4, NONE, 0);
    struct path_item items[] = {{0, 1, 0}, {0, 1, 1000}, {0, 2, 3000}};
    struct path path = {items, 3};
    struct kernel kernel = {.code = &code, .code_count = 1, .paths = &path, .path_count = 1};
    struct played played = multiprocessor_play(&kernel, &gpu, 1, 0, 132, ROOM);

    assert_true(played.instructions == 3e6);
    assert_cycles(played.cycles, 4 * 3e6);
}

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
    code.issued = 8 * TIMES;
    kernel.threads = 256;
    kernel.registers = 40;
    kernel.blocks = 6 * gpu.multiprocessors;
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_int_equal(time.resident, 6);
    assert_true(fabs(time.waves - 1) < 1e-9);
    assert_string_equal(time.limit, "issue");
    one = time.seconds - 1e-6 * gpu.kernel_us;
    assert_cycles(one * 1e6 * gpu.clock_mhz, 6 * 8 / 4 * TIMES);
    kernel.blocks++; /* one multiprocessor has a seventh: as long as a chain takes */
    time = kernel_estimate(&kernel, &gpu, ROOM);
    assert_cycles((time.seconds - 1e-6 * gpu.kernel_us - one) * 1e6 * gpu.clock_mhz, 4 * TIMES);
    kernel.blocks = 60 * gpu.multiprocessors;
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

/* A block whose warp takes a root after the other: the next begins when another has ended. */
TEST(a_block_in_the_place_of_another_begins_later) {
    struct instruction code = make(MUFU, 1, 0, 1);
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path path = {items, 2};
    struct kernel kernel = of_one_warp(&code, &path);
    double whole = 1e-6 * gpu.kernel_us, one, cycle = 1e-6 / gpu.clock_mhz;
    int resident;

    code.issued = TIMES;
    kernel.blocks = gpu.multiprocessors;
    one = kernel_estimate(&kernel, &gpu, ROOM).seconds - whole;
    assert_cycles(one / cycle, gpu.xu_latency * TIMES);
    resident = kernel_estimate(&kernel, &gpu, ROOM).resident;
    gpu.dispatch_cycles = 0;
    kernel.blocks = 2 * resident * gpu.multiprocessors;
    code.issued = TIMES;
    assert_true(kernel_estimate(&kernel, &gpu, ROOM).played.issuing < 0.45);
    one = kernel_estimate(&kernel, &gpu, ROOM).seconds - whole;
    gpu.block_cycles += 1000;
    assert_cycles((kernel_estimate(&kernel, &gpu, ROOM).seconds - whole - one) / cycle,
                  1000 * (1 - kernel_estimate(&kernel, &gpu, ROOM).played.issuing));
    gpu.block_cycles -= 1000;
    gpu.dispatch_cycles = 1.2;
    kernel.blocks = 1e7; /* far more than the multiprocessors can take so fast */
    code.stall = 1;
    items[1].times = 1;
    assert_string_equal(kernel_estimate(&kernel, &gpu, ROOM).limit, "the starts of blocks");
    assert_true(fabs(kernel_estimate(&kernel, &gpu, ROOM).seconds - whole - 1e7 * 1.2 * cycle) <
                1e-6);
}

/* The change that leaves least of the time of a chain of one instruction, and how much. */
static struct what_if best_for(struct instruction code, int registers, int blocks) {
    struct path_item items[] = {{0, 1, 0}, {0, 1, TIMES}};
    struct path path = {items, 2};
    struct kernel kernel = of_one_warp(&code, &path);
    struct what_if found[CHANGES];
    int k;

    kernel.registers = registers;
    kernel.blocks = blocks;
    code.issued = blocks * TIMES;
    code.sectors *= code.issued;
    code.wavefronts *= code.issued;
    *(code.access == ACCESS_STORES ? &kernel.stored : &kernel.loaded) = code.sectors;
    gpu.dispatch_cycles = 0; /* blocks as short as these would be bound by their starts */
    what_if(&kernel, &gpu, found);
    gpu.dispatch_cycles = 1.2;
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
    static const char *const names[] = {"a100", "rtx4090", "h100", "h200"};
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
