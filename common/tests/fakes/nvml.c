/* Stands for the driver's libnvidia-ml.so.1 in tests. The environment says what it plays, anew at
 * every call:
 *   FAKE_GPUS       how many GPUs there are; none: the driver is not there
 *   FAKE_PROCESSES  pids that compute on each of them, as "12 34"
 *   FAKE_CLOCKS     the clock at each reading, MHz, as "1980 1900"; the last one stays
 * Energy grows by 5 J a reading. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_DRIVER = 9, NOT_FOUND = 6, MOST = 2 };

struct memory {
    unsigned long long total, free, used;
};

struct process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

int nvmlInit_v2(void);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetIndex(void *device, unsigned *index);
int nvmlDeviceGetName(void *device, char *name, unsigned size);
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size);
int nvmlSystemGetDriverVersion(char *version, unsigned size);
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *megahertz);
int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *megahertz);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);

static int devices[MOST] = {0, 1}, ready;

static unsigned gpus(void) {
    const char *count = getenv("FAKE_GPUS");

    return count ? (unsigned)atoi(count) : 0;
}

int nvmlInit_v2(void) {
    ready = gpus() > 0;
    return ready ? 0 : NO_DRIVER;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    if (!ready)
        abort(); /* the real one has no promise for this */
    if (index >= gpus() || index >= MOST)
        return NOT_FOUND;
    *device = &devices[index];
    return 0;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device) {
    if (strncmp(uuid, "GPU-0000000", 11))
        return NOT_FOUND;
    return nvmlDeviceGetHandleByIndex_v2((unsigned)atoi(uuid + 11), device);
}

int nvmlDeviceGetIndex(void *device, unsigned *index) {
    *index = (unsigned)*(int *)device;
    return 0;
}

int nvmlDeviceGetName(void *device, char *name, unsigned size) {
    snprintf(name, size, "%s", *(int *)device ? "NVIDIA Two" : "NVIDIA \"One\", PCIe");
    return 0;
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size) {
    snprintf(uuid, size, "GPU-0000000%d", *(int *)device);
    return 0;
}

int nvmlSystemGetDriverVersion(char *version, unsigned size) {
    snprintf(version, size, "580.65.06");
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory) {
    memory->total = (*(int *)device ? 4096ull : 81559ull) << 20;
    return 0;
}

int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *megahertz) {
    (void)device;
    *megahertz = type == 1 ? 1980 : type == 2 ? 2619 : 0;
    return 0;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *megahertz) {
    static int readings;
    const char *clocks = getenv("FAKE_CLOCKS"), *next;
    int i;

    (void)device;
    if (!clocks || type != 1)
        return NOT_FOUND;
    for (i = 0; i < readings && (next = strchr(clocks, ' ')); i++)
        clocks = next + 1;
    readings++;
    *megahertz = (unsigned)atoi(clocks);
    return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list) {
    const char *pids = getenv("FAKE_PROCESSES");
    unsigned found = 0;
    char *end;

    (void)device;
    while (pids && *pids && found < *count) {
        list[found++].pid = (unsigned)strtol(pids, &end, 10);
        pids = end;
    }
    *count = found;
    return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules) {
    static unsigned long long used;

    (void)device;
    *millijoules = used += 5000;
    return 0;
}
