/* Kernels executed by their machine code (SASS), as nvcc makes it for a GPU that is not here: how
 * often each instruction is issued, what each memory instruction asks for, and in which order a
 * block's warps go. It is linked to the build `sass` alone, in the place of the threads' own run.
 * protocol/sass_operations.h has the operations. What is not known is refused: refuse(). */
#ifndef CPUCUDA_SASS_H
#define CPUCUDA_SASS_H

#include <stdint.h>
#include <string>
#include <vector>

#include "internal.h"
#include "protocol/sass_operations.h"

namespace cpucuda {

struct sass_instruction {
    uint64_t low, high;
    unsigned bits(int from, int count) const { /* of the 128 */
        const unsigned __int128 all = (unsigned __int128)high << 64 | low;
        return (unsigned)(all >> from) & (count == 32 ? ~0u : (1u << count) - 1);
    }
    unsigned operation() const {
        return bits(0, 9);
    }
    unsigned form() const { /* what stands in bits 32 to 63, and of which operand */
        return bits(9, 3);
    }
};

/* A kernel of a cubin. */
struct sass_kernel {
    std::string name; /* mangled */
    int registers = 0;
    size_t static_shared = 0; /* bytes, without what CUDA keeps for itself */
    size_t parameters_at = 0; /* in constant bank 0 */
    std::vector<sass_instruction> code;
    std::vector<char> banks[8]; /* constants, as the file has them */
};

struct sass_program {
    int architecture = 0; /* 90 for sm_90 */
    std::vector<sass_kernel> kernels;
};

/* sass_cubin.cpp. Both end the process if the file is none that they understand. */
std::vector<char> whole_file(const char *path);
sass_program read_cubin(const char *path);

/* What an instruction did, summed over warps. */
struct sass_counts {
    uint64_t issued, lanes;
    uint64_t sectors;    /* of global memory, 32 bytes, summed over requests */
    uint64_t l1_hits;    /* of them, found in a first-level cache */
    uint64_t shared;     /* of these hits, those that another warp had brought */
    uint64_t wavefronts; /* of shared memory; of MATCH, the values that it tells apart */
};

/* The path of a warp: segments of instructions without a jump, as first << 32 | count; and
 * repeats, REPEAT | segments << 32 | times, which stand behind what they repeat. */
enum : uint64_t { SASS_REPEAT = (uint64_t)1 << 63 };
struct sass_path {
    std::vector<uint64_t> items;
    /* Returns the repeat that the path now ends with, or 0. */
    uint64_t add(unsigned first, unsigned count, bool jumped_back);
};

/* A first-level cache of 128-byte lines with sectors, eight ways. */
struct sass_cache {
    explicit sass_cache(size_t bytes);
    /* Whether it was there; `warp` brings it, or becomes the one that did. */
    bool touch(uint64_t sector, unsigned *warp);

  private:
    struct line {
        uint64_t tag, used;
        unsigned sectors, warp;
    };
    std::vector<line> lines;
    size_t sets;
    uint64_t now;
};

/* How many sectors a launch loads or stores before anything else, and stores after it loaded them.
 */
struct sass_touched {
    double loaded = 0, stored = 0, rewritten = 0;
    /* Adds those between two others, `times` as often. */
    void add(double times, const sass_touched &from, const sass_touched &to) {
        loaded += times * (to.loaded - from.loaded);
        stored += times * (to.stored - from.stored);
        rewritten += times * (to.rewritten - from.rewritten);
    }
};

/* One launch: what all its warps share. */
struct sass_run {
    const sass_kernel *kernel;
    int architecture;
    const launch *launched;
    std::vector<char> bank0;
    std::vector<sass_counts> counts; /* per instruction, of the block that runs */
    sass_touched touched;
    std::vector<uint64_t> only; /* per instruction: the one sector that it loads; 0: none */
    bool sampled;               /* not all blocks run: values may be wrong */
    bool skipped;               /* and iterations were skipped */
};

enum sass_state { SASS_RUNS, SASS_SYNC, SASS_MEET, SASS_BARRIER };

/* Lanes of a warp that go together. */
struct sass_group {
    uint32_t lanes, at;
    sass_state state;
    uint32_t wanted; /* of SASS_SYNC: the register; of SASS_MEET: the lanes */
    uint32_t segment;
};

struct sass_block;

/* Registers of lanes; or those of the uniform datapath, which have the same value for all. */
struct sass_registers {
    uint32_t r[256][32];
    uint32_t p[8]; /* a bit per lane */
    unsigned zero; /* the number of the register that is always 0 */
};

/* sass_warp.cpp */
struct sass_warp {
    sass_block *block;
    unsigned number;
    uint32_t live;
    sass_registers own, uniform;
    uint32_t meets[16]; /* lanes that BSYNC waits for */
    std::vector<sass_group> groups;
    std::vector<char> local; /* local memory, lane by lane */
    sass_path *path;         /* NULL: not kept */
    uint64_t executed;

    /* Loops of which it was at the head (sass_skip.cpp), and the one at whose head it is. */
    struct loop {
        uint64_t name;       /* the head's place, and of how many segments the body is */
        uint64_t executed;   /* when it was there */
        unsigned tried_from; /* iterations from which on it is worth a try */
    };
    std::vector<loop> loops;
    uint64_t head, watched; /* `watched`: it parks there after each iteration; 0: nowhere */
    uint64_t length;        /* instructions of the last iteration */
    bool parked;
    void tried(); /* it tries again when the loop has gone on for long */
    /* Comparisons of integers while `watched`: the difference of operands now and after the
     * iteration before, by how much it changed, and in how many iterations it did so. */
    struct comparison {
        const sass_instruction *which;
        int64_t now, before, step;
        int times;
    };
    std::vector<comparison> comparisons;
    void compared(const sass_instruction &i, uint32_t a, uint32_t b);

    void begin(sass_block *block, unsigned number);
    /* Executes up to that many instructions; false: all its lanes wait for others or have ended. */
    bool advance(unsigned most);
    bool ended() const {
        return groups.empty();
    }

  private:
    bool step(sass_group &group);
    void execute(const sass_instruction &i, uint32_t lanes, sass_counts &counts);
    bool settle();
    uint64_t end_segment(sass_group &group, uint32_t next);
    void memory(const sass_instruction &i, uint32_t lanes, sass_counts &counts);
    void come_to_head(uint32_t at, uint64_t repeat);
};

/* sass_block.cpp */
struct sass_block {
    sass_run *run;
    sass_cache *cache;
    uint3 index;
    unsigned threads;
    std::vector<sass_warp> warps;
    std::vector<char> shared;
    uint32_t voted; /* of the last barrier that voted */
    uint32_t votes;
    std::vector<sass_path> paths; /* of its warps, if they are kept */

    void begin(sass_run *run, sass_cache *cache, uint3 index, bool keep_paths);
    /* Executes for a while; false: nothing could go on. */
    bool advance();
    bool ended() const;
    uint64_t number() const { /* in the grid */
        const dim3 grid = run->launched->grid;
        return ((uint64_t)index.z * grid.y + index.y) * grid.x + index.x;
    }
};

/* sass_skip.cpp: skips iterations of the loop at whose head warps of the block are parked. */
void skip_iterations(sass_block *block);

/* sass_launch.cpp: ends the process, for machine code that cannot be executed here. */
[[noreturn]] void refuse(const sass_run &run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* sass_memory.cpp: a lane's bytes of device memory; nothing and false outside of it. */
bool sass_load(uint64_t address, void *to, unsigned bytes);
bool sass_store(uint64_t address, const void *from, unsigned bytes);
/* What happens to the sector for the first time since sass_forget(). */
enum sass_touch { SASS_NOTHING, SASS_TOUCH, SASS_WRITE };
sass_touch sass_first_touch(uint64_t sector, bool writes);
enum : uint64_t { SASS_NO_SECTOR = ~(uint64_t)0 };
/* Notes an atomic operation of that block; whether several blocks did one there. */
void sass_note_atomic(uint64_t sector, uint64_t block);
bool sass_is_contended(uint64_t sector);
void sass_forget();

} // namespace cpucuda

#endif
