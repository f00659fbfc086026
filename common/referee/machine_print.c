#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

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

/* nvidia-smi knows more than /proc, so it is asked first here. */
static void print_gpus(FILE *stream, const struct machine *machine) {
    char text[8192], name[24];
    if (nvidia_smi(text, sizeof text,
                   "name,driver_version,memory.total,clocks.max.sm,clocks.max.memory")) {
        int gpu = 0;
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            char *value[5] = {line, "", "", "", ""};
            for (int i = 1; i < 5; i++) {
                char *comma = strstr(value[i - 1], ", ");
                if (!comma)
                    break;
                *comma = '\0';
                value[i] = comma + 2;
            }
            snprintf(name, sizeof name, "GPU %d", gpu++);
            fprintf(stream, NAME "%s, driver %s, %s, at most %s (SM) and %s (memory)\n", name,
                    value[0], value[1], value[2], value[3], value[4]);
        }
    } else if (machine->gpu[0]) {
        fprintf(stream, NAME "%s, driver %s\n", "GPU 0", machine->gpu, machine->driver);
    } else {
        fprintf(stream, "no NVIDIA GPU found\n");
    }
}

void machine_print_below(FILE *stream, const char *root) {
    struct machine machine;
    struct topology topology;
    machine_describe_below(&machine, root);
    topology_read(&topology, root);
    fprintf(stream, NAME "%s\n", "host", machine.host);
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
    print_gpus(stream, &machine);
}

void machine_print(FILE *stream) {
    machine_print_below(stream, "");
}
