#include "gpu.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_files.h"

/* The few declarations of nvml.h that are needed here: a machine that builds the referee need not
 * have the header. Names and values as in NVIDIA's NVML API reference; every function returns 0
 * when it did what was asked. */
typedef void *nvml_device;

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };

struct memory {
    unsigned long long total, free, used; /* bytes */
};

struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

static struct {
    int (*init)(void);
    int (*by_index)(unsigned, nvml_device *);
    int (*by_uuid)(const char *, nvml_device *);
    int (*index)(nvml_device, unsigned *);
    int (*name)(nvml_device, char *, unsigned);
    int (*uuid)(nvml_device, char *, unsigned);
    int (*driver)(char *, unsigned);
    int (*memory)(nvml_device, struct memory *);
    int (*clock)(nvml_device, int, unsigned *);
    int (*most_clock)(nvml_device, int, unsigned *);
    int (*processes)(nvml_device, unsigned *, struct process *);
    int (*energy)(nvml_device, unsigned long long *); /* mJ; since Volta */
} nvml;

/* More than any machine has at once. */
enum { MOST_PROCESSES = 256 };

/* Opens the library once. Returns 0 without it, or if it lacks a function or its driver. */
static int nvml_ready(void) {
    static const struct {
        const char *name;
        void *function;
    } wanted[] = {
        {"nvmlInit_v2", &nvml.init},
        {"nvmlDeviceGetHandleByIndex_v2", &nvml.by_index},
        {"nvmlDeviceGetHandleByUUID", &nvml.by_uuid},
        {"nvmlDeviceGetIndex", &nvml.index},
        {"nvmlDeviceGetName", &nvml.name},
        {"nvmlDeviceGetUUID", &nvml.uuid},
        {"nvmlSystemGetDriverVersion", &nvml.driver},
        {"nvmlDeviceGetMemoryInfo", &nvml.memory},
        {"nvmlDeviceGetClockInfo", &nvml.clock},
        {"nvmlDeviceGetMaxClockInfo", &nvml.most_clock},
        {"nvmlDeviceGetComputeRunningProcesses_v3", &nvml.processes}, /* driver 510 */
        {"nvmlDeviceGetTotalEnergyConsumption", &nvml.energy},
    };
    static int asked, ready;
    void *library;
    size_t i;

    if (asked)
        return ready;
    asked = 1;
    if (!(library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)))
        return 0;
    for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(library, wanted[i].name);

        if (!found)
            return 0;
        memcpy(wanted[i].function, &found, sizeof found);
    }
    return ready = nvml.init() == 0;
}

int gpu_describe(int index, struct gpu *gpu) {
    struct memory memory;
    nvml_device device;

    memset(gpu, 0, sizeof *gpu);
    if (index < 0 || !nvml_ready() || nvml.by_index((unsigned)index, &device) ||
        nvml.name(device, gpu->name, sizeof gpu->name) ||
        nvml.driver(gpu->driver, sizeof gpu->driver) ||
        nvml.uuid(device, gpu->uuid, sizeof gpu->uuid))
        return 0;
    field_clean(gpu->name);
    field_clean(gpu->driver);
    if (!nvml.memory(device, &memory))
        gpu->memory_mib = (double)memory.total / (1 << 20);
    nvml.most_clock(device, CLOCK_SM, &gpu->most_sm_mhz);
    nvml.most_clock(device, CLOCK_MEMORY, &gpu->most_memory_mhz);
    return 1;
}

/* CUDA_VISIBLE_DEVICES is a list of numbers or of UUIDs; one that names no GPU hides all. */
static int programs_device(nvml_device *device) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    char first[96];

    if (!nvml_ready())
        return 0;
    if (!visible)
        return nvml.by_index(0, device) == 0;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(visible, ","), visible);
    if (isdigit((unsigned char)*first))
        return nvml.by_index((unsigned)atoi(first), device) == 0;
    return *first && nvml.by_uuid(first, device) == 0;
}

int gpu_of_programs(void) {
    unsigned index;
    nvml_device device;

    return programs_device(&device) && nvml.index(device, &index) == 0 ? (int)index : -1;
}

/* In a container NVML may give the pids that processes have outside it, which mean nothing here: as
 * many of them as we have processes may be ours. */
static int count_others(nvml_device device, const pid_t *ours, int count) {
    struct process found[MOST_PROCESSES];
    unsigned length = MOST_PROCESSES, i;
    int others = 0, foreign = 0, unseen = count, j;

    if (nvml.processes(device, &length, found))
        return 0;
    for (i = 0; i < length; i++) {
        pid_t pid = (pid_t)found[i].pid;

        for (j = 0; j < count && ours[j] != pid; j++)
            ;
        if (j < count)
            unseen--;
        else if (kill(pid, 0) && errno == ESRCH)
            foreign++;
        else
            others++;
    }
    return others + (foreign > unseen ? foreign - unseen : 0);
}

void gpu_read(const pid_t *ours, int count, struct gpu_reading *reading) {
    unsigned long long millijoules;
    unsigned megahertz;
    nvml_device device;

    *reading = (struct gpu_reading){.energy = -1};
    if (!programs_device(&device))
        return;
    reading->others = count_others(device, ours, count);
    if (!nvml.clock(device, CLOCK_SM, &megahertz))
        reading->sm_mhz = megahertz;
    if (!nvml.energy(device, &millijoules))
        reading->energy = 1e-3 * (double)millijoules;
}
