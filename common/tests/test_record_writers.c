/* Who else writes a record at the same time, and what stops a writer. */
#include "testing.h"

#include <signal.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

#include "referee/base/clock.h"
#include "record_of_both.h"

/* Each call appends five lines, so that half a call's would show. */
enum { WRITERS = 8, CALLS = 10, GROUP = 5 };

/* The referee's clock runs this much faster, so that the lock's ten seconds need not pass. */
static double speed = 1;

int clock_gettime(clockid_t which, struct timespec *now) {
    long result = syscall(SYS_clock_gettime, which, now);

    if (which == CLOCK_MONOTONIC)
        *now = clock_timespec(speed * ((double)now->tv_sec + 1e-9 * (double)now->tv_nsec));
    return (int)result;
}

static int exit_code(pid_t child) {
    int status;

    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* The header once, then whole lines and no others, those of one call side by side. Returns how
 * many lines; `seen`, if not NULL, counts each number. */
static int assert_whole(const struct record_file *file, int *seen) {
    size_t length = strlen(file->header);
    char *text = read_file(file->path, NULL), *at, line[LINE_BYTES];
    const char *format = file == &rows_file ? "%d." : "run,step,variant,name%d";
    int count = 0, number, before = 0;

    assert_non_null(text);
    if (!*text) {
        free(text);
        return 0;
    }
    assert_memory_equal(text, file->header, length);
    for (at = text + length; *at; at += strlen(line)) {
        assert_int_equal(sscanf(at, format, &number), 1);
        file->line(line, number);
        assert_memory_equal(at, line, strlen(line));
        if (count++ % GROUP)
            assert_int_equal(number, before + 1);
        before = number;
        if (seen)
            seen[number]++;
    }
    assert_int_equal(count % GROUP, 0);
    free(text);
    return count;
}

TEST_OF_BOTH(test_writers_at_once) {
    const struct record_file *file = *state;
    int seen[WRITERS * CALLS * GROUP] = {0}, i, writer;
    pid_t children[WRITERS];

    for (writer = 0; writer < WRITERS; writer++) {
        if ((children[writer] = fork()))
            continue;
        for (i = 0; i < CALLS; i++)
            if (record_open(&record, results, "pc") ||
                file->append(GROUP * (writer * CALLS + i), GROUP))
                _exit(1);
        _exit(0);
    }
    for (writer = 0; writer < WRITERS; writer++)
        assert_int_equal(exit_code(children[writer]), 0);
    assert_int_equal(assert_whole(file, seen), WRITERS * CALLS * GROUP);
    for (i = 0; i < WRITERS * CALLS * GROUP; i++)
        assert_int_equal(seen[i], 1);
}

/* Who makes the file is a race of its own: all start at once, on a new folder each time. */
TEST_OF_BOTH(test_first_writers) {
    const struct record_file *file = *state;
    int round, writer, gate[2];
    pid_t children[WRITERS];
    char byte;

    for (round = 0; round < 8; round++) {
        snprintf(results, sizeof results, "%s/%d", folder, round);
        assert_int_equal(pipe(gate), 0);
        for (writer = 0; writer < WRITERS; writer++) {
            if ((children[writer] = fork()))
                continue;
            close(gate[1]);
            _exit(read(gate[0], &byte, 1) != 0 || record_open(&record, results, "pc") ||
                  file->append(GROUP * writer, GROUP));
        }
        close(gate[0]);
        close(gate[1]);
        for (writer = 0; writer < WRITERS; writer++)
            assert_int_equal(exit_code(children[writer]), 0);
        assert_int_equal(record_open(&record, results, "pc"), OUTCOME_ACCEPTED);
        assert_int_equal(assert_whole(file, NULL), WRITERS * GROUP);
    }
}

static int lock(void) {
    int fd = open(results, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    assert_true(fd >= 0);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    return fd;
}

TEST_OF_BOTH(test_locked) {
    const struct record_file *file = *state;
    double waited;
    int fd = lock();

    speed = 50;
    waited = -clock_now();
    ASSERT_COMPLAINS(file->append(1, 1), OUTCOME_LOCKED, "nothing was written");
    waited += clock_now();
    speed = 1;
    assert_true(waited >= 10 && waited < 20);
    assert_int_equal(access(file->path, F_OK), -1);
    close(fd);
    assert_int_equal(file->append(1, GROUP), OUTCOME_ACCEPTED);
    assert_int_equal(assert_whole(file, NULL), GROUP);
}

TEST_OF_BOTH(test_lock_given_back_in_time) {
    const struct record_file *file = *state;
    int fd = lock();
    pid_t child = fork();

    if (!child) {
        close(fd); /* the lock is the open folder's, which the child shares */
        _exit(file->append(1, GROUP));
    }
    usleep(100000);
    assert_int_equal(access(file->path, F_OK), -1);
    close(fd);
    assert_int_equal(exit_code(child), OUTCOME_ACCEPTED);
    assert_int_equal(assert_whole(file, NULL), GROUP);
}

/* The kernel gives a dead process's lock back; nothing has to be cleared away. */
TEST_OF_BOTH(test_killed_with_the_lock) {
    const struct record_file *file = *state;
    int ready[2];
    pid_t child;
    char byte;

    assert_int_equal(pipe(ready), 0);
    if (!(child = fork())) {
        lock();
        if (write(ready[1], "", 1) == 1)
            pause();
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    kill(child, SIGKILL);
    assert_int_equal(exit_code(child), -SIGKILL);
    assert_int_equal(file->append(1, GROUP), OUTCOME_ACCEPTED);
}

/* Many lines a call and a new file each round, so that a large part of a writer's time is writing.
 */
TEST_OF_BOTH(test_killed_writers) {
    const struct record_file *file = *state;
    int round, rounds_that_wrote = 0;

    for (round = 0; round < 50; round++) {
        pid_t child = fork();
        int i;

        if (!child)
            for (i = 0;; i += MOST_LINES)
                if (file->append(i, MOST_LINES))
                    _exit(1);
        usleep((useconds_t)(300 + 300 * round));
        kill(child, SIGKILL);
        assert_int_equal(exit_code(child), -SIGKILL);
        if (access(file->path, F_OK))
            continue;
        assert_int_equal(record_open(&record, results, "pc"), OUTCOME_ACCEPTED);
        rounds_that_wrote += assert_whole(file, NULL) > 0;
        unlink(file->path);
    }
    assert_true(rounds_that_wrote > 10); /* else nobody was killed at work */
}

/* A process that may write `room` bytes of the file and no more, as on a full disk. */
static void assert_full(const struct record_file *file, size_t room) {
    char said[2048];
    struct kept_stderr kept = catch_stderr();
    int code;
    pid_t child = fork();

    if (!child) {
        const struct rlimit limit = {room, room};

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(file->append(3, GROUP));
    }
    code = exit_code(child);
    caught_stderr(kept, said, sizeof said);
    assert_int_equal(code, OUTCOME_RESULTS);
    assert_non_null(strstr(said, file->path));
    assert_true(strstr(said, strerror(EFBIG)) || strstr(said, "full"));
    assert_int_equal(count_lines(said), 1);
}

TEST_OF_BOTH(test_disk_full) {
    const struct record_file *file = *state;
    const char *path = file->path;
    size_t size = 0, now = 0, room;
    char *before, *after, fresh[400];

    for (room = 100; room < strlen(file->header) + 100; room += strlen(file->header)) {
        assert_full(file, room);
        assert_int_equal(access(path, F_OK), -1);
    }
    assert_int_equal(file->append(1, GROUP), OUTCOME_ACCEPTED);
    before = read_file(path, &size);
    for (room = size; room < size + 40; room += 13) {
        assert_full(file, room);
        after = read_file(path, &now);
        assert_int_equal(now, size);
        assert_memory_equal(after, before, size);
        free(after);
    }
    free(before);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    assert_int_equal(access(fresh, F_OK), -1);
    assert_int_equal(file->append(3, GROUP), OUTCOME_ACCEPTED);
    assert_int_equal(assert_whole(file, NULL), 2 * GROUP);
}

/* A record may be a link to another folder's file, and its mode is its owner's choice. */
TEST_OF_BOTH(test_link_and_mode) {
    const struct record_file *file = *state;
    char target[128];
    struct stat status;

    snprintf(target, sizeof target, "%s/elsewhere.csv", folder);
    assert_int_equal(file->append(1, GROUP), OUTCOME_ACCEPTED);
    assert_int_equal(rename(file->path, target), 0);
    assert_int_equal(chmod(target, 0664), 0);
    assert_int_equal(symlink(target, file->path), 0);
    assert_int_equal(file->append(3, GROUP), OUTCOME_ACCEPTED);
    assert_int_equal(assert_whole(file, NULL), 2 * GROUP);
    assert_int_equal(lstat(file->path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(target, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0664);
}

/* What a user without root's rights gets from record_open() and from an append; one line each. */
static void assert_unwritable(const struct record_file *file, const char *place) {
    char said[2048];
    struct kept_stderr kept;
    int way, code;
    pid_t child;

    for (way = 0; way < 2; way++) {
        kept = catch_stderr();
        if (!(child = fork())) {
            if (getuid() == 0 && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
                _exit(99);
            _exit(way ? file->append(3, GROUP) : record_open(&record, results, "pc"));
        }
        code = exit_code(child);
        caught_stderr(kept, said, sizeof said);
        assert_int_equal(code, OUTCOME_RESULTS);
        assert_int_equal(count_lines(said), 1);
        assert_non_null(strstr(said, place));
    }
}

TEST_OF_BOTH(test_no_right_to_write) {
    const struct record_file *file = *state;
    const char *path = file->path;

    assert_int_equal(chmod(results, 0555), 0);
    assert_unwritable(file, results);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(chmod(results, 0777), 0);
    assert_int_equal(file->append(1, GROUP), OUTCOME_ACCEPTED);
    assert_int_equal(chmod(path, 0444), 0);
    assert_unwritable(file, path);
    assert_int_equal(assert_whole(file, NULL), GROUP);
    assert_int_equal(chmod(folder, 0555), 0);
    snprintf(results, sizeof results, "%s/new", folder);
    snprintf(record.folder, sizeof record.folder, "%s", results);
    assert_unwritable(file, results);
}

TEST_IN(begin, end_folder, test_no_folder) {
    char path[192], said[512], *text;
    struct record opened;
    int mode;

    snprintf(path, sizeof path, "%s/file", folder);
    write_file(path, "mine\n");
    for (mode = 0644; mode <= 0755; mode += 0755 - 0644) {
        chmod(path, (mode_t)mode);
        ASSERT_COMPLAINS(record_open(&opened, path, "pc"), OUTCOME_RESULTS, "not a folder");
    }
    text = read_file(path, NULL);
    assert_string_equal(text, "mine\n");
    free(text);
    memset(said, 'a', 300);
    said[300] = 0;
    ASSERT_COMPLAINS(record_open(&opened, said, "pc"), OUTCOME_RESULTS, "too long");
    mkdir(record.rows, 0777);
    ASSERT_COMPLAINS(record_open(&opened, results, "pc"), OUTCOME_RESULTS, record.rows);
}
