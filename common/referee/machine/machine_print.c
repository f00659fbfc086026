#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "gpu.h"
#include "machine.h"
#include "machine_files.h"
#include "topology.h"

/* The width of the column of names. */
#define NAME "%-18s"

static void print_caches(FILE *stream, const struct topology *topology) {
    for (int i = 0; i < topology->caches; i++) {
        const struct cache *cache = &topology->cache[i];
        char name[16];
        snprintf(name, sizeof name, "L%d cache", cache->level);
        fprintf(stream, NAME, name);
        if (cache->kib >= 1024 && cache->kib % 1024 == 0)
            fprintf(stream, "%d x %ld MiB", cache->instances, cache->kib / 1024);
        else
            fprintf(stream, "%d x %ld KiB", cache->instances, cache->kib);
        fprintf(stream, ", %s, each of %d thread%s\n", cache->type, cache->threads,
                cache->threads == 1 ? "" : "s");
    }
}

static void print_nodes(FILE *stream, const char *root) {
    char list[8192], cpus[8192];
    file_read(list, sizeof list, root, "/sys/devices/system/node/online");
    for (int node = list_next(list, -1); node >= 0; node = list_next(list, node)) {
        char name[24];
        file_read_numbered(cpus, sizeof cpus, root, "/sys/devices/system/node/node%d/cpulist", node,
                           0);
        cpus[strcspn(cpus, "\n")] = '\0';
        snprintf(name, sizeof name, "NUMA node %d", node);
        fprintf(stream, NAME "%s%s\n", name, cpus[0] ? "CPUs " : "memory only", cpus);
    }
}

static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The instruction sets that decide how fast loops over floats can be: flags of x86-64, Features of
 * arm and aarch64. */
static void print_instruction_sets(FILE *stream, const char *root) {
    static const char *const names[] = {"sse2",    "avx",      "avx2",     "fma",
                                        "avx512f", "avx512vl", "amx_tile", "amx_bf16",
                                        "neon",    "asimd",    "sve",      "sve2"};
    char text[16384], flags[8192];
    file_read(text, sizeof text, root, "/proc/cpuinfo");
    if (!file_field(flags, sizeof flags, text, "flags"))
        file_field(flags, sizeof flags, text, "Features");
    fprintf(stream, NAME, "instruction sets");
    int printed = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (has_word(flags, names[i]))
            fprintf(stream, "%s%s", printed++ ? " " : "", names[i]);
    fprintf(stream, "%s\n", printed ? "" : "unknown");
}

static void print_system(FILE *stream, const char *root) {
    char text[4096], value[64];
    struct utsname name;
    file_read(text, sizeof text, root, "/proc/meminfo");
    if (file_field(value, sizeof value, text, "MemTotal"))
        fprintf(stream, NAME "%.1f GiB\n", "memory", atof(value) / (1024 * 1024));
    if (uname(&name) == 0)
        fprintf(stream, NAME "%s %s %s\n", "kernel", name.sysname, name.release, name.machine);
    fprintf(stream, NAME "%s\n", "compiled by",
#ifdef __clang__
            __VERSION__);
#else
            "gcc " __VERSION__);
#endif
}

static void print_gpus(FILE *stream) {
    struct gpu gpu;
    char name[24];
    int index;
    for (index = 0; gpu_describe(index, &gpu); index++) {
        snprintf(name, sizeof name, "GPU %d", index);
        fprintf(stream, NAME "%s, driver %s, %.0f MiB, at most %u MHz (SM) and %u MHz (memory)\n",
                name, gpu.name, gpu.driver, gpu.memory_mib, gpu.most_sm_mhz, gpu.most_memory_mhz);
    }
    if (index == 0)
        fprintf(stream, "no NVIDIA GPU found\n");
}

void machine_print_below(FILE *stream, const char *root) {
    struct machine machine;
    struct topology topology;
    machine_describe_below(&machine, root);
    topology_read(&topology, root);
    fprintf(stream, NAME "%s\n", "host", machine.host);
    fprintf(stream, NAME "%s,%s,%s\n", "recorded as", machine.recorded, machine.cpu, machine.gpu);
    fprintf(stream, NAME "%s\n", "CPU", machine.cpu);
    fprintf(stream, NAME "%d\n", "packages", topology.packages);
    fprintf(stream, NAME "%d\n", "cores", topology.cores);
    fprintf(stream, NAME "%d, %d of them for this process\n", "threads", topology.threads,
            machine.cores);
    fprintf(stream, NAME "%d\n", "NUMA nodes", topology.nodes);
    print_nodes(stream, root);
    print_caches(stream, &topology);
    print_instruction_sets(stream, root);
    print_system(stream, root);
    print_gpus(stream);
}

void machine_print(FILE *stream) {
    machine_print_below(stream, "");
}
