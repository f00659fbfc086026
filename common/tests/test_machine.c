/* Machines made of files: known /proc and /sys below a folder of our own; and the real clocks. */
#define _GNU_SOURCE /* nftw */
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine.h"
#include "machine_files.h"
#include "topology.h"

#define assert_near(a, b, margin) assert_true(fabs((a) - (b)) <= (margin))

static char root[64];
static char *old_path;

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

/* A root of its own for each test, and nothing in PATH: the real nvidia-smi must not answer. */
static int set_up(void **state) {
    (void)state;
    strcpy(root, "/tmp/test_machine.XXXXXX");
    old_path = strdup(getenv("PATH"));
    return !mkdtemp(root) || setenv("PATH", root, 1) != 0;
}

static int tear_down(void **state) {
    (void)state;
    setenv("PATH", old_path, 1);
    free(old_path);
    return nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes root/path with the folders above it. */
static void put(const char *path, const char *text) {
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0755);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void put_program(const char *path, const char *text) {
    char name[PATH_MAX];
    put(path, text);
    snprintf(name, sizeof name, "%s%s", root, path);
    assert_int_equal(chmod(name, 0755), 0);
}

static void put_numbered(const char *format, int first, int second, const char *text) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, format, first, second);
    put(path, text);
}

static void test_fields_are_clean(void **state) {
    static const char *const cases[][2] = {
        {"plain", "plain"}, {"  Intel(R)  Xeon(R),\t\"Gold\" 'x'\n", "Intel(R) Xeon(R) Gold x"},
        {",,", ""},         {"", ""},
        {"a,b", "a b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        strcpy(text, cases[i][0]);
        field_clean(text);
        assert_string_equal(text, cases[i][1]);
    }
}

static void test_file_fields(void **state) {
    static const char text[] = "CPU partial: 1\nnot CPU part: 2\nCPU part\t: 0xd4f \nCPU part: 3\n";
    char value[16];
    (void)state;
    assert_true(file_field(value, sizeof value, text, "CPU part"));
    assert_string_equal(value, "0xd4f ");
    assert_false(file_field(value, sizeof value, text, "part"));
    assert_string_equal(value, "");
    assert_true(file_field(value, 3, text, "CPU part"));
    assert_string_equal(value, "0x");
}

static void test_lists(void **state) {
    static const int expected[] = {0, 1, 2, 7, 64, 65, -1};
    (void)state;
    int number = -1;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        number = list_next("0-2,7,64-65\n", number);
        assert_int_equal(number, expected[i]);
    }
    assert_int_equal(list_next("", -1), -1);
    assert_int_equal(list_next("\n", -1), -1);
}

static void test_cpu_model(void **state) {
    struct machine machine;
    (void)state;
    put("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 2\n"
                         "model name\t: Odd, \"Quoted\"  CPU @ 2.00GHz \nstepping\t: 1\n");
    machine_describe_below(&machine, root);
    assert_string_equal(machine.cpu, "Odd Quoted CPU @ 2.00GHz");
    assert_true(machine.host[0] != '\0');
    assert_true(machine.cores >= 1);

    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                         "CPU variant\t: 0x0\nCPU part\t: 0xd4f\n");
    machine_describe_below(&machine, root);
    assert_string_equal(machine.cpu, "ARM Neoverse V2");

    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0xd4f\n");
    machine_describe_below(&machine, root);
    assert_string_equal(machine.cpu, "implementer 0x61 part 0xd4f");

    put("/proc/cpuinfo", "");
    machine_describe_below(&machine, root);
    assert_string_equal(machine.cpu, "unknown");

    char line[512] = "model name\t: ";
    memset(line + strlen(line), 'x', 300);
    put("/proc/cpuinfo", line);
    machine_describe_below(&machine, root);
    assert_int_equal(strlen(machine.cpu), sizeof machine.cpu - 1);
}

static void put_proc_gpus(void) {
    put("/proc/driver/nvidia/gpus/0000:41:00.0/information",
        "Model: \t\t NVIDIA Second\nIRQ:   \t\t 1\n");
    put("/proc/driver/nvidia/gpus/0000:01:00.0/information",
        "Model: \t\t NVIDIA First, 80GB\nIRQ:   \t\t 130\n");
    put("/proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n"
        "GCC version:  gcc version 12.2.0\n");
}

static void test_gpu_in_proc(void **state) {
    struct machine machine;
    (void)state;
    put_proc_gpus();
    machine_describe_below(&machine, root);
    assert_string_equal(machine.gpu, ""); /* a container that was given no GPU */
    put("/dev/nvidiactl", "");
    machine_describe_below(&machine, root);
    assert_string_equal(machine.gpu, "NVIDIA First 80GB");
    assert_string_equal(machine.driver, "580.65.06");
}

static void test_gpu_by_nvidia_smi(void **state) {
    struct machine machine;
    char path[PATH_MAX], text[8192];
    (void)state;
    put_program("/nvidia-smi", "#!/bin/sh\ncase $* in\n"
                               "*memory*) echo 'NVIDIA One, 550.1, 81559 MiB, 1980 MHz, 2619 MHz'\n"
                               "          echo 'NVIDIA Two, 550.1, 4096 MiB, 1500 MHz, 900 MHz';;\n"
                               "*) echo 'NVIDIA \"One\", PCIe, 550.1'; echo 'NVIDIA Two, 550.1';;\n"
                               "esac\n");
    snprintf(path, sizeof path, "%s:%s", root, old_path);
    setenv("PATH", path, 1);
    machine_describe_below(&machine, root);
    assert_string_equal(machine.gpu, "NVIDIA One PCIe");
    assert_string_equal(machine.driver, "550.1");

    FILE *stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, root);
    fclose(stream);
    assert_non_null(strstr(text, "GPU 0"));
    assert_non_null(strstr(text, "NVIDIA Two, driver 550.1, 4096 MiB, at most 1500 MHz (SM) and "
                                 "900 MHz (memory)\n"));
    assert_null(strstr(text, "no NVIDIA GPU found"));
}

/* It prints its errors to stdout. */
static void test_nvidia_smi_that_fails(void **state) {
    struct machine machine;
    char path[PATH_MAX];
    (void)state;
    put_program("/nvidia-smi", "#!/bin/sh\n"
                               "echo 'NVIDIA-SMI has failed, no driver'\nexit 9\n");
    snprintf(path, sizeof path, "%s:%s", root, old_path);
    setenv("PATH", path, 1);
    machine_describe_below(&machine, root);
    assert_string_equal(machine.gpu, "");
    assert_string_equal(machine.driver, "");
}

#define CPU "/sys/devices/system/cpu/cpu%d/"

static void put_cache(int cpu, int index, const char *level, const char *type, const char *size,
                      const char *shared) {
    put_numbered(CPU "cache/index%d/level", cpu, index, level);
    put_numbered(CPU "cache/index%d/type", cpu, index, type);
    put_numbered(CPU "cache/index%d/size", cpu, index, size);
    put_numbered(CPU "cache/index%d/shared_cpu_list", cpu, index, shared);
}

/* Two packages of two cores of two threads; threads of a core are c and c + 4. */
static void put_topology(void) {
    put("/sys/devices/system/cpu/online", "0-7\n");
    put("/sys/devices/system/node/online", "0-2\n");
    put("/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
    put("/sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
    put("/sys/devices/system/node/node2/cpulist", "\n");
    for (int cpu = 0; cpu < 8; cpu++) {
        char core[16];
        const char *package = cpu % 4 < 2 ? "0-1,4-5\n" : "2-3,6-7\n";
        snprintf(core, sizeof core, "%d,%d\n", cpu % 4, cpu % 4 + 4);
        put_numbered(CPU "topology/thread_siblings_list", cpu, 0, core);
        put_numbered(CPU "topology/core_siblings_list", cpu, 0, package);
        put_cache(cpu, 0, "1\n", "Data\n", "48K\n", core);
        put_cache(cpu, 1, "3\n", "Unified\n", "32768K\n", package);
    }
}

static void test_topology(void **state) {
    struct topology topology;
    (void)state;
    put_topology();
    topology_read(&topology, root);
    assert_int_equal(topology.packages, 2);
    assert_int_equal(topology.cores, 4);
    assert_int_equal(topology.threads, 8);
    assert_int_equal(topology.nodes, 2);
    assert_int_equal(topology.caches, 2);
    assert_int_equal(topology.cache[0].level, 1);
    assert_string_equal(topology.cache[0].type, "Data");
    assert_int_equal(topology.cache[0].kib, 48);
    assert_int_equal(topology.cache[0].instances, 4);
    assert_int_equal(topology.cache[0].threads, 2);
    const struct cache *last = topology_last_cache(&topology);
    assert_int_equal(last->level, 3);
    assert_int_equal(last->kib, 32768);
    assert_int_equal(last->instances, 2);
    assert_int_equal(last->threads, 4);
}

static void test_no_sys(void **state) {
    struct topology topology;
    (void)state;
    topology_read(&topology, root);
    assert_int_equal(topology.packages, 1);
    assert_int_equal(topology.nodes, 1);
    assert_true(topology.threads >= 1);
    assert_int_equal(topology.cores, topology.threads);
    assert_null(topology_last_cache(&topology));
}

static void test_print(void **state) {
    char text[8192];
    (void)state;
    put_topology();
    put("/proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu sse2 avx2 fma avx512fx\n");
    put("/proc/meminfo", "MemTotal:       33554432 kB\nMemFree:         1 kB\n");
    FILE *stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, root);
    fclose(stream);
    static const char *const lines[] = {
        "CPU               Some CPU\n",
        "packages          2\n",
        "cores             4\n",
        "threads           8, ",
        "NUMA nodes        2\n",
        "NUMA node 1       CPUs 2-3,6-7\n",
        "NUMA node 2       memory only\n",
        "L1 cache          4 x 48 KiB, Data, each of 2 threads\n",
        "L3 cache          2 x 32 MiB, Unified, each of 4 threads\n",
        "instruction sets  sse2 avx2 fma\n",
        "memory            32.0 GiB\n",
        "no NVIDIA GPU found\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("no \"%s\" in:\n%s", lines[i], text);

    put("/proc/cpuinfo", "CPU part\t: 0xd4f\nFeatures\t: fp asimd sve\n");
    stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, root);
    fclose(stream);
    assert_non_null(strstr(text, "instruction sets  asimd sve\n"));
}

static void test_busy_seconds(void **state) {
    char text[256];
    long tick = sysconf(_SC_CLK_TCK);
    (void)state;
    assert_true(busy_seconds(root) < 0);
    /* user nice system idle iowait irq softirq steal guest guest_nice, in ticks */
    snprintf(text, sizeof text, "cpu  %ld %ld %ld 77777 88888 %ld %ld %ld %ld 5\ncpu0 1 1 1 1\n",
             tick, 2 * tick, 4 * tick, 8 * tick, 16 * tick, 32 * tick, tick);
    put("/proc/stat", text);
    assert_near(busy_seconds(root), 63, 1e-9);
}

static void test_process_seconds(void **state) {
    char text[256];
    long tick = sysconf(_SC_CLK_TCK);
    (void)state;
    snprintf(text, sizeof text,
             "42 (a) b (c) 9 R) S 1 42 42 0 -1 4194304 101 7 8 9 %ld %ld %ld %ld 20 0 1 0 5 6\n",
             tick, 2 * tick, 4 * tick, 8 * tick);
    put("/proc/42/stat", text);
    assert_near(process_seconds(root, 42), 15, 1e-9);
    assert_near(process_seconds(root, 43), 0, 0);
}

static void test_others(void **state) {
    const struct cpu_times before = {.machine = 100, .ours = 10, .wall = 1000};
    struct cpu_times after = {.machine = 107, .ours = 12, .wall = 1002};
    (void)state;
    assert_near(cpu_times_others(&before, &after), 2.5, 1e-9);
    after.ours = 17.01;
    assert_near(cpu_times_others(&before, &after), 0, 0);
    assert_near(cpu_times_others(&before, &before), 0, 0);
    /* Two readings in one tick of the clock, and a /proc/stat that cannot be read. */
    after = (struct cpu_times){.machine = 101, .ours = 10, .wall = 1000};
    assert_near(cpu_times_others(&before, &after), 0, 0);
    const struct cpu_times unread = {.machine = -1, .ours = 10, .wall = 999};
    assert_near(cpu_times_others(&unread, &after), 0, 0);
}

/* CPU time that the tests of the real clocks use up, s, and the least of it that must be seen:
 * ticks of 10 ms lose some. Other load can only add to the machine's time. */
#define BURN 0.4
#define SEEN (0.7 * BURN)

static void burn(clockid_t clock) {
    struct timespec time;
    do
        clock_gettime(clock, &time);
    while ((double)time.tv_sec + 1e-9 * (double)time.tv_nsec < BURN);
}

static void *burn_thread(void *unused) {
    burn(CLOCK_THREAD_CPUTIME_ID);
    return unused;
}

/* A child that has used up BURN seconds and lives on. */
static pid_t burnt_child(void) {
    int done[2];
    char byte;
    assert_int_equal(pipe(done), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        burn(CLOCK_PROCESS_CPUTIME_ID);
        if (write(done[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    assert_int_equal(read(done[0], &byte, 1), 1);
    close(done[0]);
    close(done[1]);
    return child;
}

static void test_a_thread_of_ours(void **state) {
    struct cpu_times before, after;
    pthread_t thread;
    (void)state;
    cpu_times_read(&before, 0);
    assert_int_equal(pthread_create(&thread, NULL, burn_thread, NULL), 0);
    pthread_join(thread, NULL);
    cpu_times_read(&after, 0);
    assert_true(after.ours - before.ours >= SEEN);
    assert_true(after.machine - before.machine >= SEEN);
    assert_true(after.wall - before.wall >= BURN);
}

static void test_another_process(void **state) {
    struct cpu_times before, after, with_player, reaped;
    (void)state;
    cpu_times_read(&before, 0);
    pid_t child = burnt_child();
    cpu_times_read(&after, 0);
    cpu_times_read(&with_player, child);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    cpu_times_read(&reaped, 0);
    assert_true(after.ours - before.ours <= BURN - SEEN);
    assert_true(after.machine - before.machine >= SEEN);
    assert_true(cpu_times_others(&before, &after) * (after.wall - before.wall) >= SEEN / 2);
    assert_true(with_player.ours - before.ours >= SEEN);
    /* A player that ended stays ours. */
    assert_true(reaped.ours - before.ours >= SEEN);
}

static void test_energy(void **state) {
    (void)state;
    assert_true(machine_energy("/nonexistent") < 0);
    assert_true(machine_energy(root) < 0);
    put("/intel-rapl:0/name", "package-0\n");
    put("/intel-rapl:0/energy_uj", "1500000\n");
    put("/intel-rapl:1/name", "package-1\n");
    put("/intel-rapl:1/energy_uj", "262143328850\n");
    put("/intel-rapl:0:0/name", "package-0-core\n");
    put("/intel-rapl:0:0/energy_uj", "700000\n");
    put("/intel-rapl:2/name", "psys\n");
    put("/intel-rapl:2/energy_uj", "9000000\n");
    put("/intel-rapl-mmio:0/name", "package-0\n");
    put("/intel-rapl-mmio:0/energy_uj", "1500000\n");
    assert_near(machine_energy(root), 262144.82885, 1e-6);
    /* Root can read every file, but not a folder. */
    put("/intel-rapl:3/name", "package-2\n");
    put("/intel-rapl:3/energy_uj/folder", "");
    assert_true(machine_energy(root) < 0);
}

static void test_this_machine(void **state) {
    struct machine machine;
    (void)state;
    setenv("PATH", old_path, 1);
    machine_describe(&machine);
    const char *const fields[] = {machine.host, machine.cpu, machine.gpu, machine.driver};
    for (int i = 0; i < 4; i++)
        assert_null(strpbrk(fields[i], ",\"\n"));
    assert_true(machine.host[0] && machine.cpu[0]);
    assert_int_equal(machine.gpu[0] != '\0', machine.driver[0] != '\0');
    FILE *sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    machine_print(sink);
    fclose(sink);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_fields_are_clean),
        TEST(test_file_fields),
        TEST(test_lists),
        TEST(test_cpu_model),
        TEST(test_gpu_in_proc),
        TEST(test_gpu_by_nvidia_smi),
        TEST(test_nvidia_smi_that_fails),
        TEST(test_topology),
        TEST(test_no_sys),
        TEST(test_print),
        TEST(test_busy_seconds),
        TEST(test_process_seconds),
        TEST(test_others),
        TEST(test_a_thread_of_ours),
        TEST(test_another_process),
        TEST(test_energy),
        TEST(test_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
