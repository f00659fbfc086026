#include "topology.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_files.h"

/* A list of CPUs may have a range for each of thousands. */
enum { LIST_BYTES = 8192 };

static int list_count(const char *list) {
    int count = 0;
    for (int number = list_next(list, -1); number >= 0; number = list_next(list, number))
        count++;
    return count;
}

/* Whether `cpu` is the first of the CPUs that share something: so each thing is counted once. */
static bool first_of(const char *root, const char *format, int cpu) {
    char list[LIST_BYTES];
    return file_read_numbered(list, sizeof list, root, format, cpu, 0) &&
           list_next(list, -1) == cpu;
}

/* The entry of that level and type, a new one if there is none; NULL when the table is full. */
static struct cache *cache_entry(struct topology *topology, int level, const char *type) {
    for (int i = 0; i < topology->caches; i++)
        if (topology->cache[i].level == level && strcmp(topology->cache[i].type, type) == 0)
            return &topology->cache[i];
    if (topology->caches == TOPOLOGY_CACHES)
        return NULL;
    struct cache *cache = &topology->cache[topology->caches++];
    cache->level = level;
    strcpy(cache->type, type);
    return cache;
}

/* Adds cache `index` of `cpu`; false if there is no such index. */
static bool add_cache(struct topology *topology, const char *root, int cpu, int index) {
#define CACHE_FILE "/sys/devices/system/cpu/cpu%d/cache/index%d/"
    char list[LIST_BYTES], level[16], size[32], type[sizeof topology->cache[0].type];
    if (!file_read_numbered(list, sizeof list, root, CACHE_FILE "shared_cpu_list", cpu, index))
        return false;
    if (list_next(list, -1) != cpu)
        return true;
    file_read_numbered(level, sizeof level, root, CACHE_FILE "level", cpu, index);
    file_read_numbered(type, sizeof type, root, CACHE_FILE "type", cpu, index);
    file_read_numbered(size, sizeof size, root, CACHE_FILE "size", cpu, index);
    field_clean(type);
    struct cache *cache = cache_entry(topology, atoi(level), type);
    if (cache && cache->instances++ == 0) {
        cache->kib = atol(size); /* such as 32768K */
        cache->threads = list_count(list);
    }
    return true;
#undef CACHE_FILE
}

static int count_nodes(const char *root) {
    char list[LIST_BYTES], cpus[LIST_BYTES];
    int nodes = 0;
    file_read(list, sizeof list, root, "/sys/devices/system/node/online");
    for (int node = list_next(list, -1); node >= 0; node = list_next(list, node)) {
        file_read_numbered(cpus, sizeof cpus, root, "/sys/devices/system/node/node%d/cpulist", node,
                           0);
        nodes += list_next(cpus, -1) >= 0;
    }
    return nodes > 0 ? nodes : 1;
}

void topology_read(struct topology *topology, const char *root) {
    char online[LIST_BYTES];
    memset(topology, 0, sizeof *topology);
    file_read(online, sizeof online, root, "/sys/devices/system/cpu/online");
    for (int cpu = list_next(online, -1); cpu >= 0; cpu = list_next(online, cpu)) {
        static const char core[] = "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list";
        static const char package[] = "/sys/devices/system/cpu/cpu%d/topology/core_siblings_list";
        topology->threads++;
        topology->cores += first_of(root, core, cpu);
        topology->packages += first_of(root, package, cpu);
        for (int index = 0; add_cache(topology, root, cpu, index);)
            index++;
    }
    if (topology->threads == 0)
        topology->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (topology->cores == 0)
        topology->cores = topology->threads;
    if (topology->packages == 0)
        topology->packages = 1;
    topology->nodes = count_nodes(root);
}

const struct cache *topology_last_cache(const struct topology *topology) {
    const struct cache *last = NULL;
    for (int i = 0; i < topology->caches; i++)
        if (!last || topology->cache[i].level > last->level)
            last = &topology->cache[i];
    return last;
}
