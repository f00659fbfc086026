/* How a machine's CPUs share cores, packages and caches. */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

/* One level and type of cache. */
struct cache {
    int level;
    char type[16]; /* Data, Instruction or Unified */
    long kib;      /* KiB of one of them */
    int instances; /* how many the machine has */
    int threads;   /* how many CPUs share one */
};

enum { TOPOLOGY_CACHES = 8 };

struct topology {
    int packages;
    int cores;
    int threads; /* CPUs that are online */
    int nodes;   /* NUMA nodes that have CPUs */
    int caches;  /* 0 where the system does not tell */
    struct cache cache[TOPOLOGY_CACHES];
};

/* Reads the topology from /sys below `root` ("" for the system's own). Where /sys does not tell,
 * every thread counts as a core of one package. */
void topology_read(struct topology *topology, const char *root);

/* The last level of cache, or NULL. */
const struct cache *topology_last_cache(const struct topology *topology);

#endif
