/* What the referee learns of a GPU, from a library that plays one. Run from the repository's root.
 */
#define OWN_MAIN
#include "testing.h"

#include <signal.h>
#include <sys/prctl.h>

#include "fake_root.h"
#include "fake_gpu.h"
#include "referee/machine/gpu.h"
#include "referee/machine/machine.h"
#include "referee/machine/machine_files.h"

static struct gpu_reading reading_of(const pid_t *ours, int count) {
    struct gpu_reading reading;
    gpu_read(ours, count, &reading);
    return reading;
}

static int others(const char *processes, const pid_t *ours, int count) {
    setenv("FAKE_PROCESSES", processes, 1);
    return reading_of(ours, count).others;
}

TEST_IN(begin_folder, end_folder, test_names) {
    struct machine machine;
    struct gpu gpu;
    char text[8192];
    machine_describe_below(&machine, folder);
    assert_string_equal(machine.gpu, "NVIDIA One PCIe");
    assert_string_equal(machine.driver, "580.65.06");
    assert_int_equal(gpu_describe(1, &gpu), 1);
    assert_string_equal(gpu.name, "NVIDIA Two");
    assert_int_equal(gpu_describe(2, &gpu), 0);
    assert_int_equal(gpu_describe(-1, &gpu), 0);

    FILE *stream = fmemopen(text, sizeof text, "w");
    machine_print_below(stream, folder);
    fclose(stream);
    assert_non_null(strstr(text,
                           "GPU 0             NVIDIA One PCIe, driver 580.65.06, 81559 MiB, at "
                           "most 1980 MHz (SM) and 2619 MHz (memory)\n"));
    assert_non_null(strstr(text, "GPU 1             NVIDIA Two, "));
    assert_null(strstr(text, "no NVIDIA GPU found"));
}

/* A machine's id is its GPU's, by its UUID, whatever the installation is; each GPU has its own. */
TEST_IN(begin_folder, end_folder, test_id_of_the_gpu) {
    static const char *const visible[] = {"0", "1", "GPU-00000001", ""};
    struct machine first, machine[4];

    machine_describe_below(&first, folder);
    assert_int_equal(strlen(first.id), 6);
    assert_int_equal(strspn(first.id, "0123456789abcdef"), 6);
    put("/etc/machine-id", "0123456789abcdef0123456789abcdef\n");
    for (int i = 0; i < 4; i++) {
        setenv("CUDA_VISIBLE_DEVICES", visible[i], 1);
        machine_describe_below(&machine[i], folder);
    }
    unsetenv("CUDA_VISIBLE_DEVICES");
    assert_string_equal(machine[0].id, first.id);
    assert_string_not_equal(machine[1].id, first.id);
    assert_string_equal(machine[2].id, machine[1].id);
    assert_int_equal(strlen(machine[3].id), 6); /* the installation's */
    assert_string_not_equal(machine[3].id, first.id);
    assert_string_not_equal(machine[3].id, machine[1].id);
}

/* CUDA gives its programs the first GPU of the list, or none. */
TEST_IN(begin_folder, end_folder, test_gpu_of_programs) {
    static const struct {
        const char *visible;
        int gpu;
    } cases[] = {{"0", 0}, {"1", 1},   {"1,0", 1},          {"2", -1},
                 {"", -1}, {"-1", -1}, {"GPU-00000001", 1}, {"GPU-00000000,1", 0},
                 {"x", -1}};
    struct machine machine;
    assert_int_equal(gpu_of_programs(), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("CUDA_VISIBLE_DEVICES", cases[i].visible, 1);
        if (gpu_of_programs() != cases[i].gpu)
            fail_msg("CUDA_VISIBLE_DEVICES=%s: GPU %d", cases[i].visible, gpu_of_programs());
        machine_describe_below(&machine, folder);
        assert_string_equal(machine.gpu, cases[i].gpu < 0    ? ""
                                         : cases[i].gpu == 0 ? "NVIDIA One PCIe"
                                                             : "NVIDIA Two");
    }
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    assert_true(reading_of(NULL, 0).energy < 0);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_IN(begin_folder, end_folder, test_clock_and_energy) {
    struct gpu_reading first, second;
    assert_true(reading_of(NULL, 0).sm_mhz == 0);
    setenv("FAKE_CLOCKS", "1980 1755", 1);
    first = reading_of(NULL, 0);
    second = reading_of(NULL, 0);
    assert_true(first.sm_mhz == 1980 && second.sm_mhz == 1755);
    assert_true(second.energy - first.energy > 4.99 && second.energy - first.energy < 5.01);
    unsetenv("FAKE_CLOCKS");
}

/* Ours is a process that waits; this one and its parent are others. */
TEST_IN(begin_folder, end_folder, test_other_processes) {
    pid_t child = fork();
    const pid_t ours[] = {child, 999999999};
    char text[64];
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when this test fails */
        for (;;)
            pause();
    }
    assert_int_equal(others("", ours, 1), 0);
    snprintf(text, sizeof text, "%d", (int)child);
    assert_int_equal(others(text, ours, 1), 0);
    assert_int_equal(others(text, NULL, 0), 1);
    snprintf(text, sizeof text, "%d %d %d", (int)child, (int)getpid(), (int)getppid());
    assert_int_equal(others(text, ours, 1), 2);
    /* Pids of another namespace, of which as many as we have players may be ours. */
    assert_int_equal(others("999999998", ours, 1), 0);
    assert_int_equal(others("999999998 999999997", ours, 1), 1);
    assert_int_equal(others("999999998 999999997", ours, 2), 0);
    snprintf(text, sizeof text, "%d 999999998", (int)child);
    assert_int_equal(others(text, ours, 1), 1);
    unsetenv("FAKE_PROCESSES");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* The rest of this machine's tests run without the fake, and usually without a library. */
TEST_IN(begin_folder, end_folder, test_driver_that_is_not_there) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        setenv("FAKE_GPUS", "0", 1);
        execl("/proc/self/exe", "test_gpu", "none", (char *)NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static int without_driver(void) {
    struct gpu_reading reading;
    struct gpu gpu;
    gpu_read(NULL, 0, &reading);
    return gpu_of_programs() == -1 && !gpu_describe(0, &gpu) && reading.others == 0 &&
                   reading.sm_mhz == 0 && reading.energy < 0
               ? 0
               : 1;
}

int main(int argc, char **argv) {
    if (argc == 2)
        return without_driver();
    play_gpus(argv, "2");
    return run_listed(NULL, NULL);
}
