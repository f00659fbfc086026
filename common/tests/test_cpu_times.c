/* Clocks of CPUs and energy: from files of known contents, and the real clocks. */
#include "testing.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "fake_root.h"
#include "referee/machine/machine.h"
#include "referee/machine/machine_files.h"

#define assert_near(a, b, margin) assert_true(fabs((a) - (b)) <= (margin))

TEST_IN(begin_folder, end_folder, test_busy_seconds) {
    char text[256];
    long tick = sysconf(_SC_CLK_TCK);
    assert_true(busy_seconds(folder) < 0);
    /* user nice system idle iowait irq softirq steal guest guest_nice, in ticks */
    snprintf(text, sizeof text, "cpu  %ld %ld %ld 77777 88888 %ld %ld %ld %ld 5\ncpu0 1 1 1 1\n",
             tick, 2 * tick, 4 * tick, 8 * tick, 16 * tick, 32 * tick, tick);
    put("/proc/stat", text);
    assert_near(busy_seconds(folder), 63, 1e-9);
}

TEST_IN(begin_folder, end_folder, test_process_seconds) {
    char text[256];
    long tick = sysconf(_SC_CLK_TCK);
    snprintf(text, sizeof text,
             "42 (a) b (c) 9 R) S 1 42 42 0 -1 4194304 101 7 8 9 %ld %ld %ld %ld 20 0 1 0 5 6\n",
             tick, 2 * tick, 4 * tick, 8 * tick);
    put("/proc/42/stat", text);
    assert_near(process_seconds(folder, 42), 15, 1e-9);
    assert_near(process_seconds(folder, 43), 0, 0);
}

TEST_IN(begin_folder, end_folder, test_others) {
    const struct cpu_times before = {.machine = 100, .ours = 10, .wall = 1000};
    struct cpu_times after = {.machine = 107, .ours = 12, .wall = 1002};
    assert_near(cpu_times_others(&before, &after), 2.5, 1e-9);
    after.ours = 17.01;
    assert_near(cpu_times_others(&before, &after), -0.005, 1e-9);
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

TEST_IN(begin_folder, end_folder, test_a_thread_of_ours) {
    struct cpu_times before, after;
    pthread_t thread;
    cpu_times_read(&before, 0);
    assert_int_equal(pthread_create(&thread, NULL, burn_thread, NULL), 0);
    pthread_join(thread, NULL);
    cpu_times_read(&after, 0);
    assert_true(after.ours - before.ours >= SEEN);
    assert_true(after.machine - before.machine >= SEEN);
    assert_true(after.wall - before.wall >= BURN);
}

TEST_IN(begin_folder, end_folder, test_another_process) {
    struct cpu_times before, after, with_player, reaped;
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

TEST_IN(begin_folder, end_folder, test_energy) {
    assert_true(machine_energy("/nonexistent") < 0);
    assert_true(machine_energy(folder) < 0);
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
    assert_near(machine_energy(folder), 262144.82885, 1e-6);
    /* Root can read every file, but not a folder. */
    put("/intel-rapl:3/name", "package-2\n");
    put("/intel-rapl:3/energy_uj/folder", "");
    assert_true(machine_energy(folder) < 0);
}
