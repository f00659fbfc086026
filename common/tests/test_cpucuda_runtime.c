/* Memory, streams and calls of cpucuda: each case of cpucuda/runtime_*.cu in a process of its own,
 * built by every C++ compiler there is, plain, with AddressSanitizer and with ThreadSanitizer. */
#include "testing.h"
#include "cpucuda_programs.h"

#define FAILED 67 /* the exit code of all that the engine finds */

#define SOURCES "tests/cpucuda/"
#define CALLS   SOURCES "runtime_calls.cu"

enum build { PLAIN, ADDRESS, THREAD };
static const char *const builds[] = {"plain", "address", "thread"};

/* What a case must say; NULL for `word` if it must end well. "@name" in the text is the place of
 * the line whose comment holds that name, "@" alone the line that faulted, which must have the
 * case's, in the program's file. `by_address_sanitizer`: that build finds it first. */
struct expected {
    const char *name, *word, *text;
    int by_address_sanitizer;
};

static const struct expected memory_cases[] = {
    {"right", NULL, "", 0},
    {"contents", NULL, "", 0},
    {"canary", "memory",
     "kernel set (launched in @canary_launch) wrote memory, directly behind the 12000 bytes that "
     "cudaMalloc in @device made; does a thread without an element return",
     1},
    {"canary_sum", "memory", "wrote memory, 12 bytes behind the 12000 bytes that cudaMalloc in", 1},
    {"canary_in_front", "memory", "bytes in front of the 12000 bytes that cudaMalloc in @device",
     1},
    {"canary_pinned", "memory",
     "wrote memory, directly behind the 12000 bytes that cudaMallocHost in @pinned made", 1},
    {"kernel_far_behind", "memory",
     "set, block (0,0,0), thread (0,0,0) at @ wrote memory, 256 bytes behind the 12000 "
     "bytes that "
     "cudaMalloc in @device made",
     0},
    {"kernel_in_front", "memory", "at @ wrote memory, 8000 bytes in front of the 12000 bytes that",
     0},
    {"kernel_reads_behind", "memory",
     "at @ read memory, 256 bytes behind the 12000 bytes that cudaMalloc in @device made; does "
     "a thread without an element return, or is an index too large?",
     0},
    {"kernel_after_free", "memory",
     "at @ wrote memory, byte 0 of the 12000 bytes that cudaMalloc in @device made, after cudaFree "
     "in "
     "@kernel_free",
     0},
    {"host_reads", "device-pointer",
     "host code at @ read device memory, byte 28 of the 12000 bytes that cudaMalloc in @device", 0},
    {"host_writes", "device-pointer", "host code at @ wrote device memory", 0},
    {"host_reads_later", "device-pointer", "host code at @ read device memory", 0},
    {"host_memcpy", "device-pointer", "host code at @ read device memory, byte 0 of", 0},
    {"host_reads_after_free", "device-pointer", "host code at @ read device memory", 0},
    {"pinned_after_free", "memory",
     "host code at @ read memory, byte 28 of the 12000 bytes that cudaMallocHost in @pinned made, "
     "after "
     "cudaFreeHost in @pinned_free",
     0},
    {"pinned_overrun", "memory", "host code at @ wrote memory, 256 bytes behind the 12000 bytes",
     0},
    {"hidden", "host-pointer", "at @: a kernel used host memory (`in` or `out`)", 0},
    {"hidden_only_in_kernels", NULL, "", 0},
    {"hidden_but_registered", NULL, "", 0},
    {"pinned_in_kernel", NULL, "", 0},
    {"describe", NULL, "", 0},
    {NULL, NULL, NULL, 0},
};

/* ThreadSanitizer stops at it before the engine can. */
static const struct expected host_frees = {
    "host_frees", "device-pointer",
    "bytes in front of the 12000 bytes that cudaMalloc in @device made; if this is free(), use "
    "cudaFree; only",
    0};

static const struct expected many_allocations = {"many_allocations", NULL, "", 0};

/* They look at results before they are there: for ThreadSanitizer that is a race, and rightly. */
static const struct expected early_looks[] = {
    {"is_deferred", NULL, "", 0},    {"only_the_stream", NULL, "", 0},
    {"default_stream", NULL, "", 0}, {"queue_is_bounded", NULL, "", 0},
    {NULL, NULL, NULL, 0},
};

static const struct expected stream_cases[] = {
    {"events", NULL, "an event was never recorded", 0},
    {"pageable_is_staged", NULL, "", 0},
    {"pending_read", "order",
     "host code at @ read memory while cudaMemcpyAsync of @read_copy was still pending", 0},
    {"pending_write", "order",
     "host code at @ wrote memory while cudaMemcpyAsync of @write_copy was still pending", 0},
    {"pending_registered", "order", "host code at @ wrote memory while cudaMemcpyAsync", 0},
    {"pending_then_done", NULL, "", 0},
    {"unordered_copy", "order", "reads memory that kernel add", 0},
    {"ordered_copy", NULL, "", 0},
    {"copy_besides_stream", "order",
     "cudaMemcpy in @besides_copy reads memory that kernel add (@besides_kernel) of another "
     "stream changes",
     0},
    {"unordered_pinned_copy", "order", "reads memory that kernel add", 0},
    {"unordered_copy_in", "order", "writes memory that kernel add", 0},
    {"pipeline", NULL, "", 0},
    {"graph", NULL, "the default stream cannot be captured", 0},
    {"graph_copies", "stream", "@graph_copy: cudaMemcpyAsync goes into a stream that is captured",
     0},
    {"graph_default_stream", "stream",
     "@graph_default: set goes into the default stream while another one is captured", 0},
    {NULL, NULL, NULL, 0},
};

static const struct expected call_cases[] = {
    {"launch_error", NULL, "cpucuda: launch: launch of set in " CALLS ":", 0},
    {"leaked_launch", "leaked-error",
     "launch of set in @leaked_launch failed (2048 x 1 x 1 threads per block; at most 1024, and 64 "
     "in z) and nobody "
     "asked: check its result",
     0},
    {"leaked_call", "leaked-error", "cudaStreamCreateWithFlags in " CALLS, 0},
    {"told_error", NULL, "cpucuda: stream: cudaStreamCreateWithFlags in " CALLS, 0},
    {"pending_at_end", "order",
     "the run function returned while kernel set (@pending_at_end) was still pending; copy its "
     "result back with cudaMemcpy, which waits, or call cudaDeviceSynchronize()",
     0},
    {"event_at_end", NULL, "", 0},
    {"unfreed_device", NULL, "given back; use cudaFree", 0},
    {"unfreed_device", NULL, "the 12000 bytes of cudaMalloc in @unfreed_device", 0},
    {"unfreed_pinned", NULL, "of cudaHostAlloc in " CALLS, 0},
    {"unfreed_registered", NULL, "of cudaHostRegister in " CALLS, 0},
    {"wrong_calls", NULL, "cpucuda: memory: cudaFree in " CALLS, 0},
    {"wrong_calls", NULL, "this is a plain host pointer; free() frees what malloc() made", 0},
    {"wrong_calls", NULL, "the memory of cudaMalloc in @device is given back by cudaFree\n", 0},
    {"wrong_calls", NULL, "the memory of cudaMallocHost in @pinned is given back by cudaFreeHost",
     0},
    {"wrong_calls", NULL, "is given back by cudaHostUnregister", 0},
    {"wrong_calls", NULL, "not the start of the memory that cudaMalloc in @device made", 0},
    {"copy_too_much", "copy",
     "cudaMemcpy in @copy_too_much: 12000 bytes, but from the destination on there are only 11996 "
     "of the 12000 bytes that cudaMalloc in @device made",
     0},
    {"copy_direction", "copy",
     "cudaMemcpy in @copy_direction: the direction is cudaMemcpyDeviceToHost, but the destination "
     "is a device pointer, made by cudaMalloc in @device",
     0},
    {"copy_from_host", "copy", "but the source is a host pointer", 0},
    {"copy_null", "copy", "the destination is NULL", 0},
    {"copy_freed", "copy",
     "the destination was made by cudaMalloc in @device and freed by cudaFree in @copy_free", 0},
    {"copy_too_much_pinned", "copy", "from the source on there are only 12000 of the 12000", 0},
    {"fill_host", "copy",
     "the destination is a host pointer; cudaMemset sets memory that cudaMalloc made, and memset() "
     "that of the host",
     0},
    {"call_in_kernel", "launch", "was called in a kernel; only host code can", 0},
    {"symbols", NULL, "", 0},
    {"symbol_too_small", "copy", "8 bytes from byte 12 on, but the variable has 16", 0},
    {"questions", NULL, "", 0},
    {"counting", NULL, "", 0},
    {"counting_roots", NULL, "", 0},
    {NULL, NULL, NULL, 0},
};

static const struct expected device_cases[] = {
    {"in_order", NULL, "", 0},
    {"foreign_memory", "memory",
     "set, block (0,0,0), thread (0,0,0) on device 1 at @ wrote memory of device 0, byte 28 of the "
     "12000 bytes that cudaMalloc in @device made; copy it there with cudaMemcpyPeerAsync",
     0},
    {"unordered_copy_between", "order",
     "cudaMemcpyPeerAsync in @between reads memory that kernel set (@writer) of another stream "
     "changes",
     0},
    {"wrong_side", "copy",
     "cudaMemcpyPeer in @wrong_side: the source is memory of device 0, made by cudaMalloc in "
     "@device, and not of device 2",
     0},
    {"host_side", "copy", "the source is a host pointer", 0},
    {"other_is_pending", "order",
     "host code at @ read memory while cudaMemcpyAsync of @still_pending was still pending", 0},
    {"wrong_calls", NULL,
     "its stream is of device 1, and the current device is 0; call cudaSetDevice(1)", 0},
    {NULL, NULL, NULL, 0},
};

static const struct expected ordered_cases[] = {
    {"managed_memory", NULL, "", 0},
    {"managed_too_early", "order",
     "host code at @ read managed memory, byte 11996 of the 12000 bytes that cudaMallocManaged in "
     "@managed made, while kernel add (@managed_kernel) was still pending",
     0},
    {"managed_written_early", "order", "host code at @ wrote managed memory, byte 4 of", 0},
    {"managed_after_free", "memory", "host code at @ read memory, byte 0 of the 12000 bytes", 0},
    {"managed_unfreed", NULL, "the 12000 bytes of cudaMallocManaged in @managed", 0},
    {"in_order", NULL, "", 0},
    {"by_events", NULL, "", 0},
    {"freed_by_free", NULL, "", 0},
    {"too_early", "order",
     "at @ wrote memory, byte 0 of the 12000 bytes that cudaMallocAsync in @early_memory made, "
     "before the stream of that call has come to it",
     0},
    {"copied_too_early", "order",
     "cudaMemcpyAsync in @copied_too_early uses the 12000 bytes of cudaMallocAsync in "
     "@copied_memory, another stream's, before",
     0},
    {"freed_before", "memory",
     "at @ wrote memory, byte 0 of the 12000 bytes that cudaMallocAsync in", 0},
    {"other_stream_frees", "memory", "made, after cudaFreeAsync in @other_free", 0},
    {"freed_twice", NULL, "was freed before, in", 0},
    {"async_unfreed", NULL, "bytes of cudaMallocAsync in @async_unfreed", 0},
    {"pinned_freed_early", "order",
     "cudaFreeHost in @pinned_freed_early gives back memory, that of cudaMallocHost in @pinned, "
     "while cudaMemcpyAsync of @pinned_copy to or from it was still pending",
     0},
    {"pinned_freed_before_out", "order", "while cudaMemcpyAsync of @pinned_out to or from", 0},
    {"unregistered_early", "order", "cudaHostUnregister in @unregistered_early gives back", 0},
    {"pinned_freed_in_time", NULL, "", 0},
    {"host_functions", NULL, "", 0},
    {"function_calls_cuda", "order",
     "cudaDeviceSynchronize in @call_in_function was called in a host function that "
     "cudaLaunchHostFunc in @function_calls_cuda put into a stream",
     0},
    {"function_reads_device", "device-pointer", "host code at @ read device memory", 0},
    {"function_pending", "order", "cudaLaunchHostFunc (@function_pending) was still pending", 0},
    {"launch_by_address", NULL, "", 0},
    {"cooperative_launch", NULL, "", 0},
    {"untyped_launch", "missing-call", "@untyped_launch: cudaLaunchKernel of an untyped", 0},
    {NULL, NULL, NULL, 0},
};

/* The line, from 1, whose comment at its end holds the name; 0 if none. */
static int marked_line(const char *source, const char *name, size_t length) {
    const char *line, *end;
    int number = 1;

    for (line = source; (end = strchr(line, '\n')); line = end + 1, number++) {
        const char *word = memmem(line, (size_t)(end - line), "; ", 2);

        while (word && (word = memmem(word, (size_t)(end - word), name, length))) {
            if (word[-1] == ' ' && word[length] == ' ')
                return number;
            word += length;
        }
    }
    return 0;
}

/* Puts file and line for {+0x...}, an offset into the program. */
static void resolve(const char *program, char *text) {
    char *offset = strstr(text, "{+"), *rest = offset ? strchr(offset, '}') : NULL, place[512];
    struct result result;
    const char *found;

    if (!rest)
        return;
    result = run("addr2line -e %s %.*s", program, (int)(rest - offset - 2), offset + 2);
    found = strstr(result.out, SOURCES);
    found = found ? found : result.out;
    snprintf(place, sizeof place, "%.*s%s", (int)strcspn(found, " \n"), found, rest + 1);
    strcpy(offset, place);
}

/* "FILE:LINE" of the marked line, in the program's file or what all include. */
static int print_place(char *text, const char *file, const char *name, size_t length) {
    const char *const files[] = {file, "runtime.h"};
    int i, line = 0;

    for (i = 0; i < 2 && !line; i++) {
        char path[64], *source;

        snprintf(path, sizeof path, "sources/%s", files[i]);
        source = read_file(path, NULL);
        line = marked_line(source, name, length);
        free(source);
    }
    assert_int_not_equal(line, 0);
    return sprintf(text, SOURCES "%s:%d", files[i - 1], line);
}

/* The expected text with its "@" replaced; `text` has 512 bytes. */
static void expand(const char *file, const struct expected *expected, char *text) {
    const char *c = expected->text;

    while (*c) {
        size_t length;

        if (*c != '@') {
            *text++ = *c++;
            continue;
        }
        length = strspn(++c, "abcdefghijklmnopqrstuvwxyz_");
        text += print_place(text, file, length ? c : expected->name,
                            length ? length : strlen(expected->name));
        c += length;
    }
    *text = 0;
}

static void check_case(const char *file, const char *program, int build,
                       const struct expected *expected) {
    struct result result = run("%s %s", program, expected->name);
    char text[512], word[64] = "";

    expand(file, expected, text);
    resolve(program, result.err = realloc(result.err, strlen(result.err) + 512));
    if (expected->by_address_sanitizer && build == ADDRESS) {
        assert_says(result.err, "use-after-poison");
    } else {
        if (result.code != (expected->word ? FAILED : 0))
            print_error("%s %s:\n", program, expected->name);
        assert_code(result, expected->word ? FAILED : 0);
        assert_says(result.err, text);
        if (expected->word)
            snprintf(word, sizeof word, "cpucuda: %s: ", expected->word);
        assert_says(result.err, word);
        /* ThreadSanitizer may see the same fault before it is told. */
        if (!expected->word)
            assert_null(strstr(result.err, "WARNING: "));
        assert_null(strstr(result.err, "runtime error"));
    }
}

/* What is none of ours goes to whom it belongs: the system, or the sanitizer. */
static void check_others(const char *program, int build) {
    struct result result = run("%s not_ours", program);

    assert_int_not_equal(result.code, 0);
    assert_int_not_equal(result.code, FAILED);
    if (build != PLAIN)
        assert_says(result.err, "Sanitizer: SEGV on unknown address 0x000000000008");
}

/* Where no order is defined, both come; with one seed always the same. */
static void check_orders(const char *program) {
    struct result result = run("for i in 1 2 3 4 5 6 7 8; do CPUCUDA_SEED=$i %s any_order; done; "
                               "for i in 1 2 3 4; do CPUCUDA_SEED=5 %s any_order; done",
                               program, program);

    assert_code(result, 0);
    assert_int_equal(strlen(result.out), 12);
    assert_non_null(memchr(result.out, '1', 8));
    assert_non_null(memchr(result.out, '2', 8));
    assert_int_equal(strspn(result.out + 8, (char[]){result.out[8], 0}), 4);
}

static void check_all(const char *file, const struct expected *cases) {
    int compiler, build, length = (int)strcspn(file, ".");

    for (compiler = 0; compiler < compiler_count; compiler++)
        for (build = PLAIN; build <= THREAD; build++) {
            const struct expected *expected;
            char program[96];

            snprintf(program, sizeof program, "programs/%.*s.%s.%s", length, file,
                     compilers[compiler], builds[build]);
            for (expected = cases; expected->name; expected++)
                check_case(file, program, build, expected);
            if (cases == memory_cases)
                check_others(program, build);
            if (cases == memory_cases && build != THREAD)
                check_case(file, program, build, &host_frees);
            if (cases == memory_cases && build == PLAIN) /* it takes a second */
                check_case(file, program, build, &many_allocations);
            if (cases != stream_cases || build == THREAD)
                continue;
            for (expected = early_looks; expected->name; expected++)
                check_case(file, program, build, expected);
            check_orders(program);
        }
}

TEST(test_memory) {
    check_all("runtime_memory.cu", memory_cases);
}

TEST(test_streams) {
    check_all("runtime_streams.cu", stream_cases);
}

TEST(test_calls) {
    check_all("runtime_calls.cu", call_cases);
}

TEST(test_devices) {
    check_all("runtime_devices.cu", device_cases);
}

TEST(test_ordered) {
    check_all("runtime_ordered.cu", ordered_cases);
}

GROUP(enter_programs, leave_tree)
