/* The player of a multiprocessor: code whose cycles are known. */
#include "known_code.h"

#include "referee/estimate/unrolled.h"

static double sharers = 132; /* multiprocessors that share L2 */
static double misses;        /* the share of what L2 lacks */

GROUP(read_gpu, NULL)

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

TEST(halves_share_the_pipe_of_multiply_adds) {
    struct instruction code[] = {make(FFMA, 1, NONE, 0), make(HADD2, 1, NONE, 0)};

    assert_cycles(play(code, 2, 32).cycles, (1 + gpu.half_cycles) * 32.0 / 4 * TIMES);
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

/* A group that is waited for at once; and one while the next is on its way. */
TEST(copies_to_shared_memory_are_waited_for_by_groups) {
    struct instruction code[] = {make(LDGSTS, 1, NONE, 0), make(LDGDEPBAR, 1, 0, 0),
                                 make(DEPBAR, 1, NONE, 0)};

    code[0].sectors = 1;
    code[2].of = code[2].prior = 0;
    assert_cycles(play(code, 3, 1).cycles, gpu.l2_latency * TIMES);
    code[2].prior = 1;
    assert_cycles(play(code, 3, 1).cycles, gpu.l2_latency / 2 * TIMES);
    code[2].of = 1; /* another barrier */
    assert_cycles(play(code, 3, 1).cycles, 3 * TIMES);
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
        int stall, sets, waits;
    } known[] = {
        /* sm_90: LDS.128 R4, [UR10]; S2R R3, SR_CTAID.X; IMAD R30, R3, UR4, R2 */
        {0x0000000aff047984, 0x000e280008000c00, PIPE_LSU, 4, 0, 0},
        {0x0000000000037919, 0x000e220000002500, PIPE_LSU, 1, 0, 0},
        {0x00000004031e7c24, 0x001fe2000f8e0202, PIPE_HEAVY, 1, 7, 1},
        /* sm_80: LDG.E R2, [R16.64]; LDS R0, [UR7+0x400] */
        {0x0000000810027981, 0x000168000c1e1900, PIPE_LSU, 4, 5, 0},
        {0x00040007ff007984, 0x001e280008000800, PIPE_LSU, 4, 0, 1},
        /* sm_75: LDS.U.128 R8, [R3.X4+0x400]; STG.E.SYS [R2+0xc], R9 */
        {0x0004000003087984, 0x000e220000005c00, PIPE_LSU, 1, 0, 0},
        {0x00000c0902007386, 0x000fe8000010e900, PIPE_LSU, 4, 7, 0},
    };
    size_t k;

    for (k = 0; k < sizeof known / sizeof *known; k++) {
        struct instruction i = {.low = known[k].low, .high = known[k].high};

        instruction_decode(&i);
        assert_int_equal(i.pipe, known[k].pipe);
        assert_int_equal(i.stall, known[k].stall);
        assert_int_equal(i.sets, known[k].sets);
        assert_int_equal(i.waits, known[k].waits);
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

    assert_cycles(played.cycles, 4 * 3e6);
}
