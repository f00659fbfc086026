/* What this machine is, and what else ran on it. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>
#include <sys/types.h>

struct machine {
    char host[64];     /* the host name */
    char id[8];        /* tells it from other machines of that name; empty where nothing does */
    char recorded[72]; /* what rows of a record call it: host-id, or host alone */
    char cpu[96];      /* the model's name */
    char gpu[96];      /* of the GPU that programs get; empty without one */
    char driver[32];   /* its driver's version */
    int cores;         /* CPUs this process may use (its affinity mask) */
};

/* Fills in what this machine is. No field holds a comma, a quote or a newline. */
void machine_describe(struct machine *machine);

/* CPUs that this process may use, by its affinity mask. */
int usable_cpus(void);

/* The name of its record: what MACHINE= says, else the host's. */
struct options;
const char *machine_name(const struct options *options);

/* Prints CPU topology (packages, cores, threads, NUMA nodes, caches, instruction sets, memory) and
 * the GPU's facts where there is one: what the seed's figure 1 and appendix A show. */
void machine_print(FILE *stream);

/* CPU time used on the whole machine since boot and by processes of ours. */
struct cpu_times {
    double machine; /* s, over all CPUs, stolen time included */
    double ours;    /* s, this process and `player`: all threads, and children they waited for */
    double wall;    /* s */
};

/* Reads the clocks; `player` 0 stands for none. */
void cpu_times_read(struct cpu_times *times, pid_t player);

/* Cores that others kept busy between two readings, on average. Of a few clock ticks of 10 ms ours
 * may exceed the machine's: the result may be negative, so that it errs neither way in a sum. */
double cpu_times_others(const struct cpu_times *before, const struct cpu_times *after);

/* Energy used by the CPU packages since some fixed time, J, from RAPL below `powercap` (NULL: the
 * system's folder). Negative if it cannot be read. */
double machine_energy(const char *powercap);

/* machine_describe() and machine_print() of the files below `root`. */
void machine_describe_below(struct machine *machine, const char *root);
void machine_print_below(FILE *stream, const char *root);

#endif
