/* Machines made of files: known /proc and /sys; and the real one. */
#include "testing.h"
#include "fake_root.h"
#include "referee/machine/machine.h"
#include "referee/machine/machine_files.h"
#include "referee/machine/topology.h"

TEST_IN(begin_folder, end_folder, test_fields_are_clean) {
    static const char *const cases[][2] = {
        {"plain", "plain"}, {"  Intel(R)  Xeon(R),\t\"Gold\" 'x'\n", "Intel(R) Xeon(R) Gold x"},
        {",,", ""},         {"", ""},
        {"a,b", "a b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[64];
        strcpy(text, cases[i][0]);
        field_clean(text);
        assert_string_equal(text, cases[i][1]);
    }
}

TEST_IN(begin_folder, end_folder, test_file_fields) {
    static const char text[] = "CPU partial: 1\nnot CPU part: 2\nCPU part\t: 0xd4f \nCPU part: 3\n";
    char value[16];
    assert_true(file_field(value, sizeof value, text, "CPU part"));
    assert_string_equal(value, "0xd4f ");
    assert_false(file_field(value, sizeof value, text, "part"));
    assert_string_equal(value, "");
    assert_true(file_field(value, 3, text, "CPU part"));
    assert_string_equal(value, "0x");
}

TEST_IN(begin_folder, end_folder, test_lists) {
    static const int expected[] = {0, 1, 2, 7, 64, 65, -1};
    int number = -1;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        number = list_next("0-2,7,64-65\n", number);
        assert_int_equal(number, expected[i]);
    }
    assert_int_equal(list_next("", -1), -1);
    assert_int_equal(list_next("\n", -1), -1);
}

TEST_IN(begin_folder, end_folder, test_cpu_model) {
    struct machine machine;
    put("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 2\n"
                         "model name\t: Odd, \"Quoted\"  CPU @ 2.00GHz \nstepping\t: 1\n");
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.cpu, "Odd Quoted CPU @ 2.00GHz");
    assert_true(machine.host[0] != '\0');
    assert_true(machine.cores >= 1);

    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                         "CPU variant\t: 0x0\nCPU part\t: 0xd4f\n");
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.cpu, "ARM Neoverse V2");

    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x61\nCPU part\t: 0xd4f\n");
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.cpu, "implementer 0x61 part 0xd4f");

    put("/proc/cpuinfo", "");
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.cpu, "unknown");

    char line[512] = "model name\t: ";
    memset(line + strlen(line), 'x', 300);
    put("/proc/cpuinfo", line);
    machine_describe_below(&machine, folder);
    assert_int_equal(strlen(machine.cpu), sizeof machine.cpu - 1);
}

/* Six digits that tell machines apart and nothing about them; of a machine without a GPU, here. */
TEST_IN(begin_folder, end_folder, test_id_of_the_installation) {
    enum { MACHINES = 64 }; /* so many that one's digits begin with a 0 */
    struct machine machine;
    char ids[MACHINES][sizeof machine.id], installed[40];

    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.id, "");
    assert_string_equal(machine.recorded, machine.host);
    put("/etc/machine-id", "");
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.id, "");
    for (int i = 0; i < MACHINES; i++) {
        snprintf(installed, sizeof installed, "0123456789abcdef0123456789abc%03x\n", i);
        put("/etc/machine-id", installed);
        machine_describe_below(&machine, folder);
        strcpy(ids[i], machine.id);
        machine_describe_below(&machine, folder);
        assert_string_equal(machine.id, ids[i]);
        assert_int_equal(strlen(ids[i]), 6);
        assert_int_equal(strspn(ids[i], "0123456789abcdef"), 6);
        assert_null(strstr(installed, ids[i]));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(ids[i], ids[j]);
    }
    unsetenv("CUDA_VISIBLE_DEVICES");
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

TEST_IN(begin_folder, end_folder, test_topology) {
    struct topology topology;
    put_topology();
    topology_read(&topology, folder);
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

TEST_IN(begin_folder, end_folder, test_no_sys) {
    struct topology topology;
    topology_read(&topology, folder);
    assert_int_equal(topology.packages, 1);
    assert_int_equal(topology.nodes, 1);
    assert_true(topology.threads >= 1);
    assert_int_equal(topology.cores, topology.threads);
    assert_null(topology_last_cache(&topology));
}

TEST_IN(begin_folder, end_folder, test_print) {
    char text[8192];
    put_topology();
    put("/proc/cpuinfo", "model name\t: Some CPU\nflags\t\t: fpu sse2 avx2 fma avx512fx\n");
    put("/proc/meminfo", "MemTotal:       33554432 kB\nMemFree:         1 kB\n");
    FILE *stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, folder);
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
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!strstr(text, lines[i]))
            fail_msg("no \"%s\" in:\n%s", lines[i], text);

    put("/proc/cpuinfo", "CPU part\t: 0xd4f\nFeatures\t: fp asimd sve\n");
    stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, folder);
    fclose(stream);
    assert_non_null(strstr(text, "instruction sets  asimd sve\n"));
}

TEST_IN(begin_folder, end_folder, test_this_machine) {
    struct machine machine;
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
