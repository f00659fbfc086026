/* Sources that build/cuda_to_cpp refuses, with the line and why. */
#include "testing.h"
#include "rewritten.h"

static void fails_bytes(const char *input, size_t size, int code, const char *message) {
    struct result result = rewrite_bytes(input, size);
    char line[512];
    int number = (int)strcspn(message, ":"); /* of digits */

    snprintf(line, sizeof line, "in.cu:%.*s: error%s\n", number, message, message + number);
    assert_code(result, code);
    assert_string_equal(result.err, line);
    assert_string_equal(result.out, "");
}

static void fails(const char *input, int code, const char *message) {
    fails_bytes(input, strlen(input), code, message);
}

TEST(test_broken_launches) {
    static const char no_end[] =
        "2: <<< without >>>; a launch is kernel<<<grid, block>>>(arguments)";
    fails("\nk<<<1, 2>>(x);\n", 52, no_end);
    fails("\nk<<<1, 2(x);\n>>>(y);\n", 52, no_end);
    fails("\nk<<<1, j<<<1, 2>>>(x);\n", 52, no_end);
    fails("\n#define A k<<<1, 2\n>>>(y)", 52, no_end);
    fails("#define A \\\n k<<<1, 2", 52, no_end);
    fails("f(\nk<<<1, 2);", 52, no_end);
    fails("\n\n/*\n*/k<<1, 2>>>(x);", 52,
          "4: >>> without <<<; a launch is kernel<<<grid, block>>>(arguments)");
    fails("k\n<<<1, (2\n>>>(x);", 52, "2: ( in a launch is never closed");
    fails("k<<<1, 2>>>\n(x;", 52, "2: the ( after >>> is never closed");
    fails("k<<<1,\n2>>>;", 52,
          "2: no (arguments) after >>>; in a macro they belong into the same macro");
    fails("#define A k<<<1, 2>>>\nA(x);", 52,
          "1: no (arguments) after >>>; in a macro they belong into the same macro");
    fails("a = <<<1, 2>>>(x);", 52,
          "1: no kernel before <<<; a launch is kernel<<<grid, block>>>(arguments)");
    fails("return <<<1, 2>>>(x);", 52,
          "1: no kernel before <<<; a launch is kernel<<<grid, block>>>(arguments)");
}

TEST(test_wrong_arguments) {
#define COUNT                                                                                      \
    " between <<< and >>>; there are two to four: grid, block, bytes of shared memory, stream"
    fails("k<<<>>>(x);", 53, "1: 0 arguments" COUNT);
    fails("\nk<<<(1, 2)>>>(x);", 53, "2: 1 argument" COUNT);
    fails("k<<<f<1, 2>(x)>>>(x);", 53, "1: 1 argument" COUNT);
    fails("k<<<1, 2, 3, 4, 5>>>(x);", 53, "1: 5 arguments" COUNT);
    fails("k<<<1, , 2>>>(x);", 53, "1: an argument between <<< and >>> is empty");
    fails("k<<<1, 2, >>>(x);", 53, "1: an argument between <<< and >>> is empty");
}

TEST(test_broken_shared) {
    static const char *const values[] = {"int a = 3",    "int a[2] = {1, 2}", "int a{3}",  "T a(3)",
                                         "int a, b = 1", "int a, b(3)",       "int a, b{}"};
    char input[128];
    size_t i;
    for (i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(input, sizeof input, "void f() {\n__shared__ %s; }", values[i]);
        fails(input, 54,
              "2: a __shared__ variable with a value; CUDA starts it with none, so let a thread "
              "store one and then call __syncthreads()");
    }
    fails("\n__shared__;", 54, "2: a __shared__ declaration without a name");
    fails("__shared__ float;", 54,
          "1: a __shared__ declaration without a type and a name; in a macro it must be whole");
    fails("#define S __shared__ float\n", 54,
          "1: a __shared__ declaration without a type and a name; in a macro it must be whole");
    fails("__shared__ struct P { int x; };", 54,
          "1: a __shared__ declaration without a type and a name; in a macro it must be whole");
    fails("void f() {\n\n__shared__ int a }", 54,
          "3: a __shared__ declaration without ; at its end");
    fails("#define A __shared__ int a[3\n", 54, "1: a __shared__ declaration without ; at its end");
    fails("__shared__ int a", 54, "1: a __shared__ declaration without ; at its end");
}

TEST(test_broken_kernels) {
    fails("\n#define K __global__ void\nK f() { }", 55,
          "2: __global__ in a macro without the kernel's body; write __global__ before the kernel");
    fails("\n__global__ void f()", 55, "2: __global__ without a kernel's { after it");
    fails("__global__ void f()\n{ if (a) {", 55, "2: the { of a kernel is never closed");
}

/* A call that is no launch, and what is no such call though it has a kernel's name. */
TEST(test_called_kernels) {
    static const char
        *const before[] = {"",        "{ }", "if (a) ", "else ",    "(void)",
                           "return ", "do ", "CHECK(",  "for (;; ", "a = 1; "},
               *const right[] = {
                   "void f() { k<<<1, 2>>>(x); (k)<<<1, 2>>>(x); CHECK(k<<<1, 2>>>(x)); }",
                   "__global__ void k(float *x);",
                   "template <int N> __global__ void __launch_bounds__(64) k(int n) { }",
                   "template __global__ void k<4>(int n);",
                   "void f() { set(k, 4); set(&k, 4); set(k<3>, 4); p = k; (k)(x); }",
                   "void f() { s.k(x); p->k(x); n::k(x); }",
                   "void k(int n);\nvoid f() { k(3); }",
                   "void f() { auto k = g; k(3); }",
                   "void f(pointer k) { k(3); }",
                   "#define k(x) k<<<1, 2>>>(x)\nvoid f() { k(3); }",
                   "#define RUN(k) do { k(x); } while (0)\n",
                   "#define KERNEL(j) __global__ void j(int n) { }\nvoid f() { j(3); }",
                   "#if 0\nvoid f() { k(3); }\n#endif\n// k(3);\nconst char *s = \"; k(3);\";"};
    char text[512];
    size_t i;

#define CALLED                                                                                     \
    ": k is a kernel, but it is called like a function; a launch is k<<<grid, "                    \
    "block>>>(arguments); "                                                                        \
    "a function that a kernel calls is __device__"
    for (i = 0; i < sizeof before / sizeof *before; i++) {
        snprintf(text, sizeof text, "__global__ void k(int n) { }\nvoid f() {\n%sk(x);", before[i]);
        fails(text, 56, "3" CALLED);
    }
    fails("void f() {\nk<3>(x); }\ntemplate <int N> __global__ void k(int n) { }", 56, "2" CALLED);
    fails("__global__ void __launch_bounds__(64) k(int n) { }\n__device__ void f() { k(x); }", 56,
          "2" CALLED);
    fails("__global__ void k(int n);\nvoid f() { k<<<1, 2>>>(x); k(x); }", 56, "2" CALLED);
    for (i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(text, sizeof text, "__global__ void k(int n) { }\n%s", right[i]);
        assert_code(rewrite_bytes(text, strlen(text)), 0);
    }
}

TEST(test_broken_files) {
    struct result result;
    fails("\n/* *\n\n", 51, "2: a comment that starts here has no */");
    fails("\nR\"ab()a\"\n", 51, "2: a raw string that starts here has no )ab\"");
    fails_bytes("a\nb\0c\n", 6, 50, "2: a NUL byte: this is not the text of a CUDA source");
    result = run("'%s' none.cu", rewriter);
    assert_code(result, 6);
    assert_string_equal(result.err, "none.cu: No such file or directory\n");
    result = run("'%s' .", rewriter);
    assert_code(result, 6);
    assert_string_equal(result.err, ".: Is a directory\n");
    result = run("'%s'", rewriter);
    assert_code(result, 3);
    assert_string_equal(result.err, "usage: cuda_to_cpp INPUT.cu >OUTPUT.cpp\n");
    write_file("in.cu", "x\n");
    result = run("'%s' in.cu >/dev/full", rewriter);
    assert_code(result, 1);
    assert_string_equal(result.err, "stdout: No space left on device\n");
}

GROUP(enter_folder, leave_tree)
