/* A launch by machine code, and what is written down of it: CPUCUDA_SASS names the cubin, and
 * CPUCUDA_SASS_OUT the file. With CPUCUDA_SASS_BLOCKS no long launch executes more blocks than
 * that: evenly spread ones, or a few more, which then stand for all; with 0 of it none is executed.
 */
#include "host.h"
#include "sass.h"

#include <algorithm>
#include <elf.h>
#include <link.h>
#include <map>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cpucuda {

/* Of a launch's blocks, with weights, and of all launches of the same shape. */
struct kernel_record {
    const sass_kernel *kernel;
    dim3 grid, block;
    size_t dynamic_bytes;
    uint64_t launches = 0;
    double executed = 0; /* instructions, in this process */
    /* Per instruction; contended: a load of what several blocks' atomic operations change. */
    std::vector<double> issued = {}, lanes = {}, sectors = {}, hits = {}, shared = {},
                        wavefronts = {};
    std::vector<bool> contended = {};
    sass_touched touched = {};
    std::vector<sass_path> paths = {};
};

static sass_program *program;
static std::vector<kernel_record> records;
static uint64_t most_blocks;

/* Functions of this program, by offset. A kernel's are local, so that dladdr() has no names. */
static std::map<uintptr_t, std::string> functions() {
    std::map<uintptr_t, std::string> found;
    const std::vector<char> file = whole_file("/proc/self/exe");
    ElfW(Ehdr) head;

    memcpy(&head, file.data(), sizeof head);
    for (int k = 0; k < head.e_shnum; k++) {
        ElfW(Shdr) section, names;

        memcpy(&section, &file[head.e_shoff + (size_t)k * sizeof section], sizeof section);
        if (section.sh_type != SHT_SYMTAB)
            continue;
        memcpy(&names, &file[head.e_shoff + section.sh_link * sizeof names], sizeof names);
        for (size_t at = 0; at < section.sh_size; at += sizeof(ElfW(Sym))) {
            ElfW(Sym) symbol;

            memcpy(&symbol, &file[section.sh_offset + at], sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC)
                found[symbol.st_value] = &file[names.sh_offset + symbol.st_name];
        }
    }
    return found;
}

/* A mangled name refers to its earlier parts by number, S_, S0_, S1_ ... S9_, SA_; within
 * run_thread's, which has two parts before, the numbers are greater by two. */
static std::string renumbered(const std::string &name) {
    std::string plain;
    size_t k = 0;

    while (k < name.size()) {
        const size_t begin = k;

        if (name[k] >= '0' && name[k] <= '9') { /* a word, with its length */
            const size_t length = strtoul(&name[k], nullptr, 10);

            k = name.find_first_not_of("0123456789", k) + length;
        } else if (name[k] == 'L' && k + 1 < name.size() && name[k + 1] >= 'a') { /* a number */
            k = name.find('E', k);
        } else if (name[k] == 'S' && k + 1 < name.size() &&
                   (name[k + 1] == '_' || (name[k + 1] <= 'Z' && name[k + 1] != 't'))) {
            const size_t end = name.find('_', k);
            const std::string digits = name.substr(k + 1, end - k - 1);
            const long number = digits.empty() ? 0 : strtol(digits.c_str(), nullptr, 36) + 1;

            k = end + 1;
            plain += 'S';
            if (number > 2)
                plain += "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(number - 3) % 36];
            plain += '_';
            continue;
        } else {
            k++;
        }
        plain += name.substr(begin, k - begin);
    }
    return plain;
}

/* The kernel's mangled name; run_thread<F> has it within its own, between Z and its closure. */
static std::string kernel_of(const void *run) {
    static const std::map<uintptr_t, std::string> all = functions();
    const auto found = all.find(program_offset(run) + 1);
    const size_t begin =
        found == all.end() ? std::string::npos : found->second.find("run_threadIZ");
    const size_t end = begin == std::string::npos ? begin : found->second.find("EUlvE", begin);

    if (end == std::string::npos)
        return "";
    return "_Z" + renumbered(found->second.substr(begin + 12, end - begin - 12));
}

/* A mangled name without what tells a static function from others. */
static std::string without_static(std::string name) {
    if (name.compare(0, 3, "_ZL") == 0)
        name.erase(2, 1);
    return name;
}

static const sass_kernel *find_kernel(const launch &launch) {
    const std::string name = without_static(kernel_of((const void *)launch.run));

    for (const sass_kernel &kernel : program->kernels)
        if (without_static(kernel.name) == name)
            return &kernel;
    fail("machine-code", "%s:%d: there is no machine code of %s (%s)", launch.kernel.file,
         launch.kernel.line, launch.kernel.name, name.c_str());
}

static std::vector<char> constants(const sass_kernel &kernel, const launch &launch) {
    std::vector<char> bank = kernel.banks[0];
    const uint32_t shape[6] = {launch.block.x, launch.block.y, launch.block.z,
                               launch.grid.x,  launch.grid.y,  launch.grid.z};
    const uint32_t stack = 4096;

    bank.resize(std::max(bank.size(), kernel.parameters_at + launch.arguments.size()));
    memcpy(bank.data(), shape, sizeof shape);
    memcpy(&bank[0x28], &stack, sizeof stack);
    if (!launch.arguments.empty())
        memcpy(&bank[kernel.parameters_at], launch.arguments.data(), launch.arguments.size());
    return bank;
}

static kernel_record *record_of(const sass_kernel *kernel, const launch &launch) {
    for (kernel_record &record : records)
        if (record.kernel == kernel && !memcmp(&record.grid, &launch.grid, sizeof(dim3)) &&
            !memcmp(&record.block, &launch.block, sizeof(dim3)) &&
            record.dynamic_bytes == launch.dynamic_bytes)
            return &record;
    kernel_record made = {kernel, launch.grid, launch.block, launch.dynamic_bytes};
    const size_t count = kernel->code.size();

    for (std::vector<double> *all :
         {&made.issued, &made.lanes, &made.sectors, &made.hits, &made.shared, &made.wavefronts})
        all->assign(count, 0);
    made.contended.assign(count, false);
    records.push_back(made);
    return &records.back();
}

static void add(kernel_record *record, const sass_run &run, double weight) {
    for (size_t k = 0; k < run.counts.size(); k++) {
        const sass_counts &counts = run.counts[k];

        record->issued[k] += weight * (double)counts.issued;
        record->lanes[k] += weight * (double)counts.lanes;
        record->sectors[k] += weight * (double)counts.sectors;
        record->hits[k] += weight * (double)counts.l1_hits;
        record->shared[k] += weight * (double)counts.shared;
        record->wavefronts[k] += weight * (double)counts.wavefronts;
    }
}

void refuse(const sass_run &run, const char *format, ...) {
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail("machine-code", "the machine code of %s for sm_%d cannot be executed here: %s",
         run.kernel->name.c_str(), run.architecture, text);
}

/* Of a block that stands for many, so many instructions are executed at most: some seconds. A
 * launch of which all blocks together execute fewer than LONG takes a second, and is executed
 * whole: what it computes may decide what later ones do. */
enum { ROUNDS_ALONE = 20000, L1_BYTES = 256 * 1024, MOST_EXECUTED = 30000000, LONG = 3000000 };

static uint64_t executed_by(const sass_block &block) {
    uint64_t sum = 0;

    for (const sass_warp &warp : block.warps)
        sum += warp.executed;
    return sum;
}

/* After the first block: all others, if they are executed soon and this one skipped nothing; or a
 * few more than were wanted. */
static void choose_others(sass_run *run, std::vector<uint64_t> *numbers, double executed,
                          double all) {
    enum { FEW = 8 };
    const uint64_t first = numbers->front();

    if (!run->skipped && executed * all < LONG) {
        run->sampled = false;
        numbers->resize(1);
        for (uint64_t k = 0; k < (uint64_t)all; k++)
            if (k != first)
                numbers->push_back(k);
    } else if (executed * FEW < LONG && all > 2 * FEW) {
        numbers->resize(1);
        for (uint64_t k = 1; k < FEW; k++)
            numbers->push_back((uint64_t)((2 * (double)k + 1) / (2 * FEW) * (all - 1)));
    }
}

/* Blocks one after the other; one that waits for another lets the next begin. */
static void run_blocks_of(sass_run *run, kernel_record *record, std::vector<uint64_t> numbers) {
    const dim3 grid = run->launched->grid;
    const size_t kept = numbers.size() / 2;
    const double all = (double)grid.x * grid.y * grid.z;
    std::vector<std::unique_ptr<sass_block>> waiting;
    const size_t carved = run->kernel->static_shared + run->launched->dynamic_bytes;
    size_t next = 0;

    while (next < numbers.size() || !waiting.empty()) {
        if (next < numbers.size()) {
            std::unique_ptr<sass_block> block(new sass_block());
            const uint64_t number = numbers[next];
            const uint3 index = {(unsigned)(number % grid.x), (unsigned)(number / grid.x % grid.y),
                                 (unsigned)(number / grid.x / grid.y)};
            int rounds = 0;
            sass_cache cache(carved + 8192 < L1_BYTES ? L1_BYTES - carved : 8192);

            run->counts.assign(run->kernel->code.size(), {});
            const sass_touched before = run->touched;
            block->begin(run, &cache, index,
                         run->sampled || (next == kept && record->paths.empty()));
            while (!block->ended() && (run->sampled || rounds < ROUNDS_ALONE)) {
                if (!block->advance())
                    refuse(*run, "a block waits for ever");
                if (run->sampled && executed_by(*block) > MOST_EXECUTED)
                    refuse(*run,
                           "one of %zu blocks executes more than %d instructions, or waits "
                           "for another",
                           (size_t)grid.x * grid.y * grid.z, MOST_EXECUTED);
                rounds++;
            }
            if (block->ended() && !block->paths.empty() && record->paths.empty())
                record->paths = block->paths;
            record->executed += (double)executed_by(*block);
            if (run->sampled && !next)
                choose_others(run, &numbers, (double)executed_by(*block), all);
            if (run->sampled && next) /* each other block touches as much that is new */
                run->touched.add((all - 1) / (double)(numbers.size() - 1) - 1, before,
                                 run->touched);
            add(record, *run, all / (double)numbers.size());
            next++;
            if (!block->ended())
                waiting.push_back(std::move(block));
        }
        run->counts.assign(run->kernel->code.size(), {});
        for (size_t k = waiting.size(); k-- > 0;) {
            sass_cache cache(8192);

            waiting[k]->cache = &cache;
            for (int rounds = 0; rounds < 64 && !waiting[k]->ended(); rounds++)
                waiting[k]->advance();
            if (waiting[k]->ended()) {
                if (!waiting[k]->paths.empty())
                    record->paths = waiting[k]->paths;
                waiting.erase(waiting.begin() + (ptrdiff_t)k);
            }
        }
        add(record, *run, 1);
    }
}

static void write_down() {
    const char *path = getenv("CPUCUDA_SASS_OUT");
    FILE *file = path ? fopen(path, "w") : nullptr;

    if (!file)
        return;
    int devices = 0;

    for (uint64_t launches : counters.launches_on)
        devices += launches > 0;
    fprintf(file, "sass %d %d\n", program->architecture, devices);
    fprintf(file, "copies %llu %llu %llu %llu %llu %llu %llu %llu %llu\n",
            (unsigned long long)counters.copies_in, (unsigned long long)counters.bytes_in,
            (unsigned long long)counters.pinned_in, (unsigned long long)counters.copies_out,
            (unsigned long long)counters.bytes_out, (unsigned long long)counters.pinned_out,
            (unsigned long long)counters.launches, (unsigned long long)counters.fills,
            (unsigned long long)counters.launches_by_graphs);
    for (const kernel_record &record : records) {
        const double launches = (double)record.launches;

        fprintf(file, "kernel %s %u %u %.0f %zu %zu %d %llu %.0f %.0f %.0f\n",
                record.kernel->name.c_str(), record.grid.x * record.grid.y * record.grid.z,
                record.block.x * record.block.y * record.block.z, record.executed / launches,
                record.kernel->static_shared, record.dynamic_bytes, record.kernel->registers,
                (unsigned long long)record.launches, record.touched.loaded / launches,
                record.touched.stored / launches, record.touched.rewritten / launches);
        for (size_t k = 0; k < record.issued.size(); k++)
            if (record.issued[k] > 0)
                fprintf(file, "i %zu %016llx %016llx %.9g %.9g %.9g %.9g %.9g %.9g %d\n", k,
                        (unsigned long long)record.kernel->code[k].low,
                        (unsigned long long)record.kernel->code[k].high,
                        record.issued[k] / launches, record.lanes[k] / launches,
                        record.sectors[k] / launches, record.hits[k] / launches,
                        record.shared[k] / launches, record.wavefronts[k] / launches,
                        (int)record.contended[k]);
        for (const sass_path &warp : record.paths) {
            fprintf(file, "w");
            for (uint64_t item : warp.items)
                fprintf(file, item & SASS_REPEAT ? " r%u*%u" : " %u+%u",
                        (unsigned)(item >> 32) & 0x7fffffff, (unsigned)item);
            fprintf(file, "\n");
        }
    }
    fclose(file);
}

bool run_by_sass(const launch &launch) {
    const char *path = getenv("CPUCUDA_SASS");
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;

    if (!path)
        return false;
    if (!program) {
        const char *most = getenv("CPUCUDA_SASS_BLOCKS");

        program = new sass_program(read_cubin(path));
        most_blocks = most ? strtoull(most, nullptr, 10) : UINT64_MAX;
        atexit(write_down);
    }
    sass_run run = {
        find_kernel(launch), program->architecture, &launch, {}, {}, {}, {}, false, false};
    kernel_record *record = record_of(run.kernel, launch);
    std::vector<uint64_t> numbers;

    record->launches++;
    if (!most_blocks)
        return true;
    run.bank0 = constants(*run.kernel, launch);
    run.sampled = blocks > most_blocks;
    if (run.sampled) {
        for (uint64_t k = 0; k < most_blocks; k++)
            numbers.push_back((2 * k + 1) * (blocks - 1) / (2 * most_blocks));
    } else {
        for (uint64_t k = 0; k < blocks; k++)
            numbers.push_back(k);
    }
    sass_forget();
    run.only.assign(run.kernel->code.size(), 0);
    run_blocks_of(&run, record, numbers);
    for (size_t k = 0; k < run.only.size(); k++)
        if (run.only[k] && run.only[k] != SASS_NO_SECTOR && sass_is_contended(run.only[k]))
            record->contended[k] = true;
    /* What was skipped over was not touched, and may count twice; no more than all is. */
    const double most = (double)bytes_in_use(DEVICE) / 32;
    record->touched.loaded += std::min(run.touched.loaded, most);
    record->touched.stored += std::min(run.touched.stored, most);
    record->touched.rewritten += std::min(run.touched.rewritten, most);
    return true;
}

} // namespace cpucuda
