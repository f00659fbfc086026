/* build/cuda_to_cpp: CUDA C to C++, exactly, and the C++ compiled and run. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "command.h"

static char root[4096], rewriter[4200];

static int set_up(void **state) {
    char path[128];

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(rewriter, sizeof rewriter, "%s/build/cuda_to_cpp", root);
    snprintf(path, sizeof path, "%s/build", tree);
    return mkdir(path, 0777) || chdir(tree);
}

static struct result rewrite_bytes(const char *text, size_t size) {
    write_bytes("in.cu", text, size);
    return run("'%s' in.cu", rewriter);
}

/* The input becomes the output, between its #line and the list of unrolled loops. */
static void becomes_listed(const char *input, const char *output, const char *unrolled) {
    struct result result = rewrite_bytes(input, strlen(input));
    char expected[4096];

    snprintf(expected, sizeof expected,
             "#line 1 \"in.cu\"\n%s\nextern \"C\" { extern const int cpucuda_unrolled[]; }\n"
             "const int cpucuda_unrolled[] = {%s0};\n",
             output, unrolled);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, expected);
    result_free(result);
}

static void becomes(const char *input, const char *output) {
    becomes_listed(input, output, "");
}

static void stays(const char *input) {
    becomes(input, input);
}

static void fails_bytes(const char *input, size_t size, int code, const char *message) {
    struct result result = rewrite_bytes(input, size);
    char line[512];

    snprintf(line, sizeof line, "in.cu:%s\n", message);
    assert_code(result, code);
    assert_string_equal(result.err, line);
    assert_string_equal(result.out, "");
    result_free(result);
}

static void fails(const char *input, int code, const char *message) {
    fails_bytes(input, strlen(input), code, message);
}

#define LAUNCH(kernel, shape, list)                                                                \
    "(cpucuda::configure(CPUCUDA_HERE(" kernel "), " shape "), " kernel "(" list "))"

static void test_launches(void **state) {
    (void)state;
    becomes("k<<<g, b>>>(x, n);", LAUNCH("k", "g, b", "x, n") ";");
    becomes("k<<<g, b, 4 * n, s>>>();", LAUNCH("k", "g, b, 4 * n, s", "") ";");
    becomes("k<256, (a > b)><<<g, b, 0>>>(x);", LAUNCH("k<256, (a > b)>", "g, b, 0", "x") ";");
    becomes("k<v<v<int>>><<<1, 2>>>(x);", LAUNCH("k<v<v<int>>>", "1, 2", "x") ";");
    becomes("k<int(*)[3]><<<1, 2>>>(x);", LAUNCH("k<int(*)[3]>", "1, 2", "x") ";");
    becomes("return ::a::b<3>::k<<<1, 2>>>(x);", "return " LAUNCH("::a::b<3>::k", "1, 2", "x") ";");
    becomes("else k<<<1, 2>>>(x);", "else " LAUNCH("k", "1, 2", "x") ";");
    becomes("a ? k<<<1, 2>>>(x) : j<<<3, 4>>>(y);",
            "a ? " LAUNCH("k", "1, 2", "x") " : " LAUNCH("j", "3, 4", "y") ";");
    becomes("k<<<n < 5 ? 1 : 2, m < n, b>>>(x);", LAUNCH("k", "n < 5 ? 1 : 2, m < n, b", "x") ";");
    becomes("k<<<n < 5 ? 1 : 2, m > 3 ? 4 : 5>>>(x);",
            LAUNCH("k", "n < 5 ? 1 : 2, m > 3 ? 4 : 5", "x") ";");
    becomes("i = 1'000; k<<<1, 2>>>(x);", "i = 1'000; " LAUNCH("k", "1, 2", "x") ";");
    becomes("k<<<f<g<h<1>>>(x), f<3, 4, 5, 6>(2)>>>(y);",
            LAUNCH("k", "f<g<h<1>>>(x), f<3, 4, 5, 6>(2)", "y") ";");
    becomes("k<<<dim3(1, 2, 3), a[i, j], int{4, 5, 6}>>>({1, 2}, a[(3, 4)], f(5, 6));",
            LAUNCH("k", "dim3(1, 2, 3), a[i, j], int{4, 5, 6}", "{1, 2}, a[(3, 4)], f(5, 6)") ";");
    becomes("k<<<\"<<<\", '>>>'>>>(\")\", '(');", LAUNCH("k", "\"<<<\", '>>>'", "\")\", '('") ";");
    becomes("k<<<g, b>>>(v<v<v<int>>>());", LAUNCH("k", "g, b", "v<v<v<int>>>()") ";");
    becomes("k<<<1, 2>>>(x), f<v<v<int>>>(y);", LAUNCH("k", "1, 2", "x") ", f<v<v<int>>>(y);");
}

static void test_function_pointers(void **state) {
    (void)state;
    becomes("if (a) (*p)<<<1, 2>>>(x);", "if (a) " LAUNCH("(*p)", "1, 2", "x") ";");
    becomes("table[i][2]<<<1, 2>>>(x);", LAUNCH("table[i][2]", "1, 2", "x") ";");
    becomes("a->b.c<<<1, 2>>>(x);", LAUNCH("a->b.c", "1, 2", "x") ";");
    becomes("(*a).template f<3><<<1, 2>>>(x);", LAUNCH("(*a).template f<3>", "1, 2", "x") ";");
    becomes("get(i, 2)<<<1, 2>>>(x);", LAUNCH("get(i, 2)", "1, 2", "x") ";");
}

static void test_launches_in_macros(void **state) {
    (void)state;
    becomes("#define RUN(k, ...) k<<<1, 2>>>(__VA_ARGS__)\nRUN(f, x);\n",
            "#define RUN(k, ...) " LAUNCH("k", "1, 2", "__VA_ARGS__") "\nRUN(f, x);\n");
    becomes("#  define RUN(k, ...) \\\n  (k)<<<__VA_ARGS__>>> \\\r\n  (x)\n",
            "#  define RUN(k, ...) \\\n  (cpucuda::configure(CPUCUDA_HERE((k)), __VA_ARGS__), (k) "
            "\\\r\n  (x))\n");
    becomes("#define RUN(p) (*p)<<<1, 2>>>(x)", "#define RUN(p) " LAUNCH("(*p)", "1, 2", "x"));
    becomes("#define RUN(T) k_##T<<<1, 2>>>(x)", "#define RUN(T) " LAUNCH("k_##T", "1, 2", "x"));
    becomes("CHECK(k<<<1, 2>>>(x));", "CHECK(" LAUNCH("k", "1, 2", "x") ");");
    becomes("#define SHAPE 1, 2\nk<<<SHAPE>>>(x);",
            "#define SHAPE 1, 2\n" LAUNCH("k", "SHAPE", "x") ";");
    becomes("k\n#define A )(\n<<<1, 2>>>\n#define B j\n(x);",
            "(cpucuda::configure(CPUCUDA_HERE(k\n#define A )(\n), 1, 2), k\n#define B j\n(x));");
}

static void test_lines_are_kept(void **state) {
    (void)state;
    becomes("a::\n  k /* 1 */ < 3, // 2\n 4 >\n<<<1,\n2>>>\n(x,\ny\n);\n",
            "(cpucuda::configure(CPUCUDA_HERE(a::\n  k /* 1 */ < 3, // 2\n 4 >\n), 1,\n2), a:: k < "
            "3, 4 >\n(x,\ny\n));\n");
    becomes("__global__\nvoid k(int n)\n{\n  n++; // a\n}\n",
            "__global__\nvoid k(int n)\n{ cpucuda::kernel([=]() mutable -> void {\n  n++; // "
            "a\n}); }\n");
    stays("");
    stays("\n\n\n");
    stays("no end of line");
    stays("line\r\nline\r\n");
}

static void test_file_names(void **state) {
    struct result result;
    (void)state;
    write_file("a \"b\\c.cu", "x\n");
    result = run("'%s' 'a \"b\\c.cu'", rewriter);
    assert_code(result, 0);
    assert_says(result.out, "#line 1 \"a \\\"b\\\\c.cu\"\nx\n");
    result_free(result);
    becomes("\xef\xbb\xbf#include <a>\n", "#include <a>\n");
}

#define OPEN   "{ cpucuda::kernel([=]() mutable -> void {"
#define CLOSE  "}); }"
#define LEAVES "return cpucuda::leaves(CPUCUDA_HERE(return))"

static void test_kernels(void **state) {
    (void)state;
    stays("__global__ void k(int n);");
    stays("#define __global__ something\n#undef __global__\n");
    stays("template __global__ void k<3>(S s = {1});");
    becomes("__global__ void k(S s = {1}) { if (s) { return; } }",
            "__global__ void k(S s = {1}) " OPEN " if (s) { " LEAVES "; } " CLOSE);
    becomes("__global__ void k() {\nauto f = [&](int i) -> bool { return; };\n[&] { return; }();\n"
            "a[i] = [] { { return; } };\nif (a[i]) { return; }\nreturn /* */ ;\nreturn f; }\n"
            "void h() { return; }\n",
            "__global__ void k() " OPEN "\nauto f = [&](int i) -> bool { return; };\n"
            "[&] { return; }();\na[i] = [] { { return; } };\nif (a[i]) { " LEAVES ";"
            " }\n" LEAVES " /* */ ;\nreturn f; " CLOSE "\nvoid h() { return; }\n");
    becomes("#define K(T) __global__ void k_##T() { return; }\n",
            "#define K(T) __global__ void k_##T() " OPEN " " LEAVES "; " CLOSE "\n");
    becomes("#if A\n__global__ void k(int n) {\n#else\n__global__ void k() {\n#endif\nreturn;\n}\n",
            "#if A\n__global__ void k(int n) " OPEN "\n#else\n__global__ void k() " OPEN
            "\n#endif\n" LEAVES ";\n" CLOSE "\n");
    becomes("#define K(T) __global__ void k_##T() { }\nK(int)\n",
            "#define K(T) __global__ void k_##T() " OPEN " " CLOSE "\nK(int)\n");
    becomes("#if A\n__global__ void k(int n) {\n#elif B\n__global__ void k(long n) {\n"
            "#else\n__global__ void k() {\n#endif\nif (a) { }\n}\nint a() { }\n",
            "#if A\n__global__ void k(int n) " OPEN "\n#elif B\n__global__ void k(long n) " OPEN
            "\n"
            "#else\n__global__ void k() " OPEN "\n#endif\nif (a) { }\n" CLOSE "\nint a() { }\n");
    becomes("#if A\n__global__ void k(int n)\n#else\n__global__ void k()\n#endif\n{ }\n",
            "#if A\n__global__ void k(int n)\n#else\n__global__ void k()\n#endif\n" OPEN " " CLOSE
            "\n");
}

#define STATIC(name) " struct cpucuda_tag_" name " {};" STATIC_REFERENCE(name) ";"
#define STATIC_REFERENCE(name)                                                                     \
    " auto &" name " = cpucuda::shared<cpucuda_type_" name ", cpucuda_tag_" name                   \
    ">(CPUCUDA_HERE(" name "))"
#define DYNAMIC(name)                                                                              \
    " auto &" name " = cpucuda::dynamic_shared<cpucuda_type_" name ">(CPUCUDA_HERE(" name "))"

/* A macro of that name would break headers of g++ 13's library that come after it. */
static void test_noinline(void **state) {
    (void)state;
    becomes("__device__ __noinline__ int f(int a);",
            "__device__ __attribute__((noinline)) int f(int a);");
    becomes("#define SLOW __noinline__\n", "#define SLOW __attribute__((noinline))\n");
    stays("__attribute__((__noinline__)) int f(int a);");
    stays("const char *text = \"__noinline__\"; /* __noinline__ */");
}

static void test_static_shared(void **state) {
    (void)state;
    becomes("void f() { __shared__ float a[32], b, c[4][5]; }",
            "void f() { typedef float cpucuda_type_a[32], cpucuda_type_b, "
            "cpucuda_type_c[4][5];" STATIC("a") STATIC("b") STATIC("c") " }");
    becomes(
        "void f() {\nstatic\n__shared__ volatile int\n*const a,\n(*b)[3];\n}",
        "void f() {\ntypedef\n volatile int\n*const cpucuda_type_a,\n(*cpucuda_type_b)[3];" STATIC(
            "a") STATIC("b") "\n}");
    becomes("void f() { __shared__ struct P { int x, y; } p[2], q; }",
            "void f() { typedef struct P { int x, y; } cpucuda_type_p[2], cpucuda_type_q;" STATIC(
                "p") STATIC("q") " }");
    becomes("void f() { __shared__ a::b<1, (2 > 1)>::t t[N<2, 3>::n]; }",
            "void f() { typedef a::b<1, (2 > 1)>::t cpucuda_type_t[N<2, 3>::n];" STATIC("t") " }");
    becomes("void f() { __shared__ decltype(g(1)) a; }",
            "void f() { typedef decltype(g(1)) cpucuda_type_a;" STATIC("a") " }");
    becomes("void f() { int __shared__ a; }",
            "void f() { int typedef cpucuda_type_a;" STATIC("a") " }");
    becomes("void f() { if (g) { __shared__ T a; } }",
            "void f() { if (g) { typedef T cpucuda_type_a;" STATIC("a") " } }");
}

static void test_alignment(void **state) {
    (void)state;
    becomes("void f() { alignas(16) __shared__ __align__(8) float a[3]; }",
            "void f() {  typedef  float cpucuda_type_a[3]; struct alignas(16) __align__(8) "
            "cpucuda_tag_a {};" STATIC_REFERENCE("a") "; }");
    becomes("void f() { extern __shared__ __align__(16) char a[]; }",
            "void f() { typedef   char cpucuda_type_a[];" DYNAMIC("a") "; }");
}

static void test_shared_in_macros(void **state) {
    (void)state;
    becomes(
        "#define TILE(T, n) __shared__ T n[32]\n",
        "#define TILE(T, n) typedef T cpucuda_type_##n[32]; struct cpucuda_tag_##n {}; auto &n = "
        "cpucuda::shared<cpucuda_type_##n, cpucuda_tag_##n>(CPUCUDA_HERE(n))\n");
    becomes("#define TILE(n) extern __shared__ int s_##n[];\n",
            "#define TILE(n) typedef  int cpucuda_type_##s_##n[]; auto &s_##n = "
            "cpucuda::dynamic_shared<cpucuda_type_##s_##n>(CPUCUDA_HERE(s_##n));\n");
}

static void test_dynamic_shared(void **state) {
    (void)state;
    becomes("void f() { extern __shared__ float a[]; }",
            "void f() { typedef  float cpucuda_type_a[];" DYNAMIC("a") "; }");
    /* At file scope: into the functions that use the name, and no others. */
    becomes(
        "extern __shared__ float a[];\n__global__ void k() { a[0]; }\n"
        "__device__ void u(int a) { a; }\n__device__ void v() { x.a = 1; }\nvoid w() { a; }\n"
        "namespace b {\n__device__ int d() const { int a = 1; }\n}\n",
        "typedef  float cpucuda_type_a[];\n__global__ void k() " OPEN DYNAMIC(
            "a") "; { a[0]; } " CLOSE
                 "\n__device__ void u(int a) { a; }\n__device__ void v() { x.a = 1; }\nvoid w() "
                 "{ a; }\nnamespace b {\n__device__ int d() const {" DYNAMIC(
                     "a") "; { int a = 1; } }\n}\n");
    becomes("static __shared__ int a;\n__device__ int d() { return a; }\n",
            "typedef  int cpucuda_type_a; struct cpucuda_tag_a {};\n__device__ int d() "
            "{" STATIC_REFERENCE("a") "; { return a; } }\n");
}

static void test_loops(void **state) {
    (void)state;
    becomes("while (a) b;", "while (cpucuda::turn(), a) b;");
    becomes("do { b; } while (f(a, c));", "do { b; } while (cpucuda::turn(), f(a, c));");
    becomes("#define SPIN(x) while \\\n (x == 0)\nwhile (while_a) { }",
            "#define SPIN(x) while \\\n (cpucuda::turn(), x == 0)\n"
            "while (cpucuda::turn(), while_a) { }");
    becomes("for (;;) ;", "for (; cpucuda::turn(), true;) ;");
    becomes("for (int i = f(;); i < n; ) i++;",
            "for (int i = f(;); cpucuda::turn(), i < n; ) i++;");
    becomes("for (;; ) while (1) ;",
            "for (; cpucuda::turn(), true; ) while (cpucuda::turn(), 1) ;");
    stays("for (int i = 0; i < n; i++) ;");
    stays("for (;; i++) ;");
    stays("for (auto a : {1, 2}) ; my_while (a) ; for_each(a; b; );");
    becomes("while (a = f(b)) ; while (a.b = c) ; while (a == b) ; while (*a = b) ;",
            "while (cpucuda::turn(), a = f(b)) ; while (cpucuda::turn(), a.b = c) ; "
            "while (cpucuda::turn(), a == b) ; while (cpucuda::turn(), *a = b) ;");
    becomes(
        "while (T a = b) ; while (const a::b<c> *d = e(f = g)) ; for (; auto &a = b; ) ;",
        "while (T a = (cpucuda::turn(), b)) ; while (const a::b<c> *d = (cpucuda::turn(), e(f = "
        "g))) ; for (; auto &a = (cpucuda::turn(), b); ) ;");
}

/* Line and form: 1 a name, 2 a macro, 3 a number, 4 nothing. */
/* A program may include several headers, and has one list. */
static void test_header(void **state) {
    struct result result;

    (void)state;
    write_file("in.h", "__global__ void k() { ; }\nk<<<1, 2>>>();\n#pragma unroll\n");
    result = run("'%s' in.h", rewriter);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "#line 1 \"in.h\"\n__global__ void k() " OPEN " ; " CLOSE
                                    "\n" LAUNCH("k", "1, 2", "") ";\n#pragma unroll\n");
    result_free(result);
}

/* A constant of the compiler's shares no section with variables in constant memory. */
static void test_constant_memory(void **state) {
    (void)state;
    stays("static __constant__ float a[4], b = 2;\n__constant__ struct P { int x; } p;");
    becomes("__constant__ const float a[] = {1};\nstatic constexpr __constant__ int b{2};",
            " const float a[] = {1};\nstatic constexpr  int b{2};");
    stays("const int a = 1;\n__constant__ float b[a];\nvoid f(const int c);");
}

static void test_unrolled_loops(void **state) {
    static const char *const pragmas[] = {
        "#pragma unroll\n#pragma unroll // 3\n", "1, 4, 2, 4, ",
        "#pragma unroll 4 // why\n # /**/ pragma \tunroll\t(2) /* or\n not */ a;\n", "1, 3, 2, 3, ",
        "#pragma unroll_and_jam\n#pragma omp unroll\n// #pragma unroll\n\"#pragma unroll\"\n", "",
        "#if 0\n#pragma unroll\n#endif\n", "",
        "#define U _Pragma(\"unroll 8\")\n_Pragma(\"unroll\") _Pragma(\"omp for\") (\"unroll\")",
        "1, 3, 2, 4, ", "\n#pragma unroll UNROLL\r\n",
        "\n#if defined(UNROLL)\n2, 2,\n#else\n2, 5,\n#endif\n",
        "#pragma unroll (A / 2u + B_1)\nenum e : int { A, B_1 = 4 };",
        "\n#if defined(A) || defined(B_1)\n1, 2,\n#else\n1, 1,\n#endif\n",
        "const int a = 4, u = 8;\n#pragma unroll u\n",
        "\n#if defined(u)\n2, 2,\n#else\n2, 1,\n#endif\n",
        "template <class T, int N> void f(const T *p, int n) {\n#pragma unroll 2 * N\n}",
        "\n#if defined(N)\n2, 2,\n#else\n2, 1,\n#endif\n",
        /* what nvcc ignores */
        "const int u = 4;\n#pragma unroll u;\n", "\n#if defined(u)\n2, 2,\n#else\n2, 5,\n#endif\n",
        "void f(const float *p, int n) {\n#pragma unroll n\n}",
        "\n#if defined(n)\n2, 2,\n#else\n2, 5,\n#endif\n",
        "int u = 4; const int v = u;\n#pragma unroll u\n",
        "\n#if defined(u)\n2, 2,\n#else\n2, 5,\n#endif\n",
        "#pragma unroll 4;\n#pragma unroll (4\n#pragma unroll 4 4\n#pragma unroll 4 +\n",
        "1, 5, 2, 5, 3, 5, 4, 5, "};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof pragmas / sizeof *pragmas; i += 2)
        becomes_listed(pragmas[i], pragmas[i], pragmas[i + 1]);
}

/* What may stand behind a #pragma unroll, and whether nvcc takes it. */
static const struct {
    const char *argument;
    int taken;
} spellings[] = {
    {"", 1},
    {" 4", 1},
    {"(4)", 1},
    {" 4 + 4", 1},
    {" 4 // why", 1},
    {" one", 1},
    {" (one)", 1},
    {" one * 2", 1},
    {" T", 1},
    {" local", 1},
    {" enumerator", 1},
    {" s::k", 1},
    {" (int)one", 1},
    {" int(one)", 1},
    {" static_cast<unsigned int>(one)", 1},
    {" f()", 1},
    {" one > 2 ? 4 : 1", 1},
    {" one;", 0},
    {" one one", 0},
    {" 4 4", 0},
    {" 4.0", 0},
    {" fraction", 0},
    {" MACRO", 0},
    {" (MACRO)", 0},
    {" undeclared", 0},
    {" n", 0},
    {" fixed", 0},
    {" computed", 0},
    {" of_member", 0},
    {" p.n", 0},
    {" variable", 0},
};

enum { SPELLINGS = sizeof spellings / sizeof *spellings, HEAD = 7, KERNEL = 9, PRAGMA = 6 };

static char *spell_all(void) {
    char *text = strdup("#define MACRO 4\nconstexpr int one = 4;\nconst float fraction = 4;\n"
                        "enum { enumerator = 4 };\nint variable = 4;\n"
                        "struct s { static constexpr int k = 4; int n; };\n"
                        "__device__ constexpr int f() { return 4; }\n"),
         *longer = NULL;
    size_t i;

    for (i = 0; i < SPELLINGS; i++) {
        if (asprintf(
                &longer,
                "%stemplate <int T> __global__ void k%zu(float *a, int n, const int fixed, s p) {\n"
                "    const int local = 4;\n    const int computed = n / 2;\n"
                "    const int of_member = p.n;\n"
                "    a[1] = local + computed + of_member;\n#pragma unroll%s\n"
                "    for (int j = 0; j < n; j++)\n        a[0] = 2 * a[0] + a[j];\n}\n",
                text, i, spellings[i].argument) < 0)
            abort();
        free(text);
        text = longer;
    }
    for (i = 0; i < SPELLINGS; i++) {
        if (asprintf(&longer, "%stemplate __global__ void k%zu<4>(float *, int, const int, s);\n",
                     text, i) < 0)
            abort();
        free(text);
        text = longer;
    }
    return text;
}

/* By the rewriter's list; and where there is an nvcc, by what it says of the same file. */
static void test_unroll_as_nvcc(void **state) {
    int has_nvcc = !system("command -v nvcc >/dev/null");
    char *text = spell_all(), ignored[64], refused[64], form[64];
    struct result ours, nvcc = {0};
    size_t i;

    (void)state;
    write_file("unroll.cu", text);
    free(text);
    ours = run("'%s' unroll.cu", rewriter);
    assert_code(ours, 0);
    if (has_nvcc)
        nvcc = run("nvcc -ptx -o /dev/null unroll.cu 2>&1");
    for (i = 0; i < SPELLINGS; i++) {
        size_t line = HEAD + KERNEL * i + PRAGMA;

        snprintf(form, sizeof form, "\n%zu, 5,", line);
        if (!strstr(ours.out, form))
            snprintf(form, sizeof form, " %zu, 5,", line);
        if ((strstr(ours.out, form) == NULL) != spellings[i].taken)
            fail_msg("#pragma unroll%s: the rewriter %s it", spellings[i].argument,
                     spellings[i].taken ? "does not take" : "takes");
        snprintf(ignored, sizeof ignored, "unroll.cu(%zu): warning #20170-D", line);
        snprintf(refused, sizeof refused, "unroll.cu(%zu): error", line);
        if (has_nvcc &&
            (!strstr(nvcc.out, ignored) && !strstr(nvcc.out, refused)) != spellings[i].taken)
            fail_msg("#pragma unroll%s: nvcc %s it", spellings[i].argument,
                     spellings[i].taken ? "does not take" : "takes");
    }
    result_free(ours);
    result_free(nvcc);
}

static void test_left_alone(void **state) {
    (void)state;
    stays("\"<<< __shared__ \\\" <<< \\\\\" '\"' L\"<<<\" u8'<' '\\'' \"<<<\\\n<<<\"");
    stays("R\"(<<<)\" LR\"x(<<< )\" __shared__ )x\" u8R\"(\n__shared__ \\)\"");
    stays("// k<<<1>>>(x) \\\n __shared__\n/* k<<<1>>>\n__shared__ // */");
    stays("a << <b>(c) << < d >> > e;");
    stays("vector<vector<vector<int>>> a; f<g<h<(1 > 2)>>>(x);");
    stays("operator<<<int>(a, b); a::operator<<<A<B<C>>>(c);");
    stays("int i = 1'000'000; float a = 1e+5'0f, b = .5; char c = '\"';");
    stays("#include <a<<<b.h>\n#include \"__shared__.h\"\n#error don't <<<\n#pragma once 4 // '\n"
          "  #pragma omp\n");
    stays(
        "#if 0\ndon't <<< __shared__\n#if 1\n<<<\n#else\n<<<\n#endif\n/*\n#endif */ <<<\n#endif\n");
    stays("__constant__ float c[3] = {1, 2, 3};\n__device__ int d{4};\n");
    becomes("#if 0 // not\n<<<\n#elif 1\nk<<<1, 2>>>(x);\n#else\nj<<<1, 2>>>(x);\n#endif\n",
            "#if 0 // not\n<<<\n#elif 1\n" LAUNCH("k", "1, 2", "x") ";\n#else\n" LAUNCH(
                "j", "1, 2", "x") ";\n#endif\n");
}

static void test_broken_launches(void **state) {
    static const char no_end[] =
        "2: <<< without >>>; a launch is kernel<<<grid, block>>>(arguments)";
    (void)state;
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

static void test_wrong_arguments(void **state) {
#define COUNT                                                                                      \
    " between <<< and >>>; there are two to four: grid, block, bytes of shared memory, stream"
    (void)state;
    fails("k<<<>>>(x);", 53, "1: 0 arguments" COUNT);
    fails("\nk<<<(1, 2)>>>(x);", 53, "2: 1 argument" COUNT);
    fails("k<<<f<1, 2>(x)>>>(x);", 53, "1: 1 argument" COUNT);
    fails("k<<<1, 2, 3, 4, 5>>>(x);", 53, "1: 5 arguments" COUNT);
    fails("k<<<1, , 2>>>(x);", 53, "1: an argument between <<< and >>> is empty");
    fails("k<<<1, 2, >>>(x);", 53, "1: an argument between <<< and >>> is empty");
}

static void test_broken_shared(void **state) {
    static const char *const values[] = {"int a = 3",    "int a[2] = {1, 2}", "int a{3}",  "T a(3)",
                                         "int a, b = 1", "int a, b(3)",       "int a, b{}"};
    char input[128];
    size_t i;
    (void)state;
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

static void test_broken_kernels(void **state) {
    (void)state;
    fails("\n#define K __global__ void\nK f() { }", 55,
          "2: __global__ in a macro without the kernel's body; write __global__ before the kernel");
    fails("\n__global__ void f()", 55, "2: __global__ without a kernel's { after it");
    fails("__global__ void f()\n{ if (a) {", 55, "2: the { of a kernel is never closed");
}

static void test_broken_files(void **state) {
    struct result result;
    (void)state;
    fails("\n/* *\n\n", 51, "2: a comment that starts here has no */");
    fails("\nR\"ab()a\"\n", 51, "2: a raw string that starts here has no )ab\"");
    fails_bytes("a\nb\0c\n", 6, 50, "2: a NUL byte: this is not the text of a CUDA source");
    result = run("'%s' none.cu", rewriter);
    assert_code(result, 6);
    assert_string_equal(result.err, "none.cu: No such file or directory\n");
    result_free(result);
    result = run("'%s' .", rewriter);
    assert_code(result, 6);
    assert_string_equal(result.err, ".: Is a directory\n");
    result_free(result);
    result = run("'%s'", rewriter);
    assert_code(result, 3);
    assert_string_equal(result.err, "usage: cuda_to_cpp INPUT.cu >OUTPUT.cpp\n");
    result_free(result);
    write_file("in.cu", "x\n");
    result = run("'%s' in.cu >/dev/full", rewriter);
    assert_code(result, 1);
    assert_string_equal(result.err, "stdout: No space left on device\n");
    result_free(result);
}

/* Three threads of a block leave early. */
#define LEAVES_42 "sample.cu:42 leaves\nsample.cu:42 leaves\nsample.cu:42 leaves\n"

static void test_compiles_and_runs(void **state) {
    static const char *const compilers[] = {"g++", "clang++"};
    static const char output[] =
        "sample.cu:66 sums<4, (2 > 1)>\n" LEAVES_42 LEAVES_42 "2 4014 4014\n"
        "sample.cu:68 (*pointer)\n<<<__shared__ 3 3\nsample.cu:70 dynamic\n-1 -1\n"
        "sample.cu:72 dynamic\n4 4 at 73\n24 turns, unrolled by 1 at 44, 2 at 74, 1 at 80\n";
    struct result result = run("cp '%s'/common/tests/rewriter/* .", root);
    size_t i;
    (void)state;
    assert_code(result, 0);
    result_free(result);
    result = run("'%s' sample.cu >sample.cpp", rewriter);
    assert_code(result, 0);
    result_free(result);
    for (i = 0; i < 2; i++) {
        if (system(i ? "command -v clang++ >/dev/null" : "command -v g++ >/dev/null")) {
            print_message("%s is not installed: left out\n", compilers[i]);
            continue;
        }
        result = run("%s -std=c++17 -Wall -Wextra -Werror -Wno-unknown-pragmas -include stand_in.h "
                     "-o sample sample.cpp "
                     "&& ./sample",
                     compilers[i]);
        assert_code(result, 0);
        assert_string_equal(result.err, "");
        assert_string_equal(result.out, output);
        result_free(result);
    }
}

/* Every CUDA source of the course can be rewritten. */
static void test_the_courses_sources(void **state) {
    struct result result =
        run("for f in $(cd '%s' && find common solutions steps -name '*.cu'); do "
            "'%s' '%s'/$f >out.cpp || exit 1; echo $f; done",
            root, rewriter, root);

    (void)state;
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_true(count_lines(result.out) > 40);
    assert_says(result.out, "solutions/07_device_integration/nbody.cu\n");
    assert_says(result.out, "common/problems/nbody/trusted.cu\n");
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_courses_sources),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_function_pointers),
        cmocka_unit_test(test_launches_in_macros),
        cmocka_unit_test(test_lines_are_kept),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_noinline),
        cmocka_unit_test(test_static_shared),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_shared_in_macros),
        cmocka_unit_test(test_dynamic_shared),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_constant_memory),
        cmocka_unit_test(test_unrolled_loops),
        cmocka_unit_test(test_unroll_as_nvcc),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_broken_launches),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_broken_shared),
        cmocka_unit_test(test_broken_kernels),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_compiles_and_runs),
    };
    return cmocka_run_group_tests(tests, set_up, leave_tree);
}
