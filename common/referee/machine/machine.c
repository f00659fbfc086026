#define _GNU_SOURCE /* sched_getaffinity */
#include "referee/base/clock.h"
#include "referee/base/options.h"
#include "machine.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "machine_files.h"

/* Copies as much of a text as fits, fit for a field of the record. */
static void field_set(char *field, size_t size, const char *text) {
    snprintf(field, size, "%.*s", (int)size - 1, text);
    field_clean(field);
}

/* /proc/cpuinfo names the model on x86-64; on aarch64 it holds numbers only. Parts from Arm's
 * MIDR_EL1 values as in Linux, arch/arm64/include/asm/cputype.h; never run on such machines. */
static void describe_cpu(char *cpu, size_t size, const char *root) {
    static const struct {
        const char *part, *name;
    } parts[] = {
        {"0xd03", "Cortex-A53"},  {"0xd08", "Cortex-A72"},  {"0xd0b", "Cortex-A76"},
        {"0xd0c", "Neoverse N1"}, {"0xd40", "Neoverse V1"}, {"0xd49", "Neoverse N2"},
        {"0xd4f", "Neoverse V2"}, {"0xd84", "Neoverse V3"}, {"0xd8e", "Neoverse N3"},
    };
    char text[16384], model[256], implementer[32], part[32];
    file_read(text, sizeof text, root, "/proc/cpuinfo");
    if (file_field(model, sizeof model, text, "model name")) {
        field_set(cpu, size, model);
    } else if (file_field(implementer, sizeof implementer, text, "CPU implementer") &&
               file_field(part, sizeof part, text, "CPU part")) {
        snprintf(model, sizeof model, "implementer %s part %s", implementer, part);
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            if (strcmp(implementer, "0x41") == 0 && strcmp(part, parts[i].part) == 0)
                snprintf(model, sizeof model, "ARM %s", parts[i].name);
        field_set(cpu, size, model);
    }
    if (cpu[0] == '\0')
        field_set(cpu, size, "unknown");
}

int usable_cpus(void) {
    cpu_set_t cpus;

    /* The mask of a machine with more than 1024 CPUs does not fit. */
    return sched_getaffinity(0, sizeof cpus, &cpus) ? (int)sysconf(_SC_NPROCESSORS_ONLN)
                                                    : CPU_COUNT(&cpus);
}

/* Six digits of a hash (FNV-1a): what it is made of names a person's machine everywhere. */
static void set_id(char *id, size_t size, const char *text) {
    unsigned hash = 2166136261u;

    *id = '\0';
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    if (*text)
        snprintf(id, size, "%06x", (hash ^ hash >> 24) & 0xffffff);
}

void machine_describe_below(struct machine *machine, const char *root) {
    char host[HOST_NAME_MAX + 1] = "", installed[64];
    struct gpu gpu;
    memset(machine, 0, sizeof *machine);
    gethostname(host, sizeof host - 1);
    field_set(machine->host, sizeof machine->host, host[0] ? host : "unknown");
    describe_cpu(machine->cpu, sizeof machine->cpu, root);
    if (gpu_describe(gpu_of_programs(), &gpu)) {
        field_set(machine->gpu, sizeof machine->gpu, gpu.name);
        field_set(machine->driver, sizeof machine->driver, gpu.driver);
    }
    file_read(installed, sizeof installed, root, "/etc/machine-id"); /* machine-id(5) */
    set_id(machine->id, sizeof machine->id, *gpu.uuid ? gpu.uuid : installed);
    snprintf(machine->recorded, sizeof machine->recorded, "%s%s%s", machine->host,
             *machine->id ? "-" : "", machine->id);
    machine->cores = usable_cpus();
}

void machine_describe(struct machine *machine) {
    machine_describe_below(machine, "");
}

const char *machine_name(const struct options *options) {
    static struct machine machine;

    if (options->machine)
        return options->machine;
    machine_describe(&machine);
    return machine.host;
}

double busy_seconds(const char *root) {
    /* proc(5): guest time is part of user time already. */
    char text[512];
    unsigned long long user, nice, system, idle, wait, irq, softirq, steal;
    if (!file_read(text, sizeof text, root, "/proc/stat") ||
        sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle,
               &wait, &irq, &softirq, &steal) != 8)
        return -1;
    return (double)(user + nice + system + irq + softirq + steal) / (double)sysconf(_SC_CLK_TCK);
}

double process_seconds(const char *root, pid_t process) {
    char text[1024];
    long long user, system, children_user, children_system;
    if (!file_read_numbered(text, sizeof text, root, "/proc/%d/stat", process, 0))
        return 0;
    /* Field 2 is the name in parentheses, which may hold blanks and parentheses; 14 to 17 are
     * utime, stime, cutime and cstime. */
    const char *name_end = strrchr(text, ')');
    if (!name_end ||
        sscanf(name_end + 1, " %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld %lld %lld %lld",
               &user, &system, &children_user, &children_system) != 4)
        return 0;
    return (double)(user + system + children_user + children_system) / (double)sysconf(_SC_CLK_TCK);
}

void cpu_times_read(struct cpu_times *times, pid_t player) {
    times->machine = busy_seconds("");
    times->ours = process_seconds("", getpid());
    if (player > 0)
        times->ours += process_seconds("", player);
    times->wall = clock_now();
}

double cpu_times_others(const struct cpu_times *before, const struct cpu_times *after) {
    double wall = after->wall - before->wall;
    if (wall <= 0 || before->machine < 0 || after->machine < 0)
        return 0;
    return ((after->machine - before->machine) - (after->ours - before->ours)) / wall;
}

/* Whether a folder of RAPL is a whole package: intel-rapl:N is a package or, on laptops, psys,
 * which holds the package's energy once more; intel-rapl:N:M is a part of package N. AMD's packages
 * are intel-rapl:N as well. */
static bool is_package(const char *powercap, const char *folder) {
    char path[PATH_MAX], name[32];
    int number, length = 0;
    if (sscanf(folder, "intel-rapl:%d%n", &number, &length) != 1 || folder[length] != '\0')
        return false;
    snprintf(path, sizeof path, "/%s/name", folder);
    return file_read(name, sizeof name, powercap, path) && strncmp(name, "package", 7) == 0;
}

double machine_energy(const char *powercap) {
    if (!powercap)
        powercap = "/sys/class/powercap";
    DIR *folder = opendir(powercap);
    if (!folder)
        return -1;
    double joules = 0;
    int packages = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[PATH_MAX], text[64];
        unsigned long long microjoules;
        if (!is_package(powercap, entry->d_name))
            continue;
        packages++;
        snprintf(path, sizeof path, "/%s/energy_uj", entry->d_name);
        /* Since Linux 5.10 only root may read it; a sum that lacks a package would be wrong. */
        if (!file_read(text, sizeof text, powercap, path) ||
            sscanf(text, "%llu", &microjoules) != 1) {
            packages = 0;
            break;
        }
        joules += 1e-6 * (double)microjoules;
    }
    closedir(folder);
    return packages > 0 ? joules : -1;
}
