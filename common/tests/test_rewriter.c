/* build/cuda_to_cpp: CUDA C to C++, exactly, and the C++ compiled and run. */
#include "testing.h"
#include "rewritten.h"

static void becomes(const char *input, const char *output) {
    becomes_listed(input, output, "");
}

static void stays(const char *input) {
    becomes(input, input);
}

#define LAUNCH(kernel, shape, list)                                                                \
    "(cpucuda::configure(CPUCUDA_HERE(" kernel "), " shape "), " kernel "(" list "))"

TEST(test_launches) {
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

TEST(test_function_pointers) {
    becomes("if (a) (*p)<<<1, 2>>>(x);", "if (a) " LAUNCH("(*p)", "1, 2", "x") ";");
    becomes("table[i][2]<<<1, 2>>>(x);", LAUNCH("table[i][2]", "1, 2", "x") ";");
    becomes("a->b.c<<<1, 2>>>(x);", LAUNCH("a->b.c", "1, 2", "x") ";");
    becomes("(*a).template f<3><<<1, 2>>>(x);", LAUNCH("(*a).template f<3>", "1, 2", "x") ";");
    becomes("get(i, 2)<<<1, 2>>>(x);", LAUNCH("get(i, 2)", "1, 2", "x") ";");
}

TEST(test_launches_in_macros) {
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

TEST(test_lines_are_kept) {
    becomes("a::\n  k /* 1 */ < 3, // 2\n 4 >\n<<<1,\n2>>>\n(x,\ny\n);\n",
            "(cpucuda::configure(CPUCUDA_HERE(a::\n  k /* 1 */ < 3, // 2\n 4 >\n), 1,\n2), a:: k < "
            "3, 4 >\n(x,\ny\n));\n");
    becomes("__global__\nvoid k(int n)\n{\n  n++; // a\n}\n",
            "__global__\nvoid k(int n)\n{ CPUCUDA_ARGUMENTS(n); cpucuda::kernel([=]() mutable -> "
            "void {\n  n++; // "
            "a\n}); }\n");
    stays("");
    stays("\n\n\n");
    stays("no end of line");
    stays("line\r\nline\r\n");
}

TEST(test_file_names) {
    struct result result;
    write_file("a \"b\\c.cu", "x\n");
    result = run("'%s' 'a \"b\\c.cu'", rewriter);
    assert_code(result, 0);
    assert_says(result.out, "#line 1 \"a \\\"b\\\\c.cu\"\nx\n");
    becomes("\xef\xbb\xbf#include <a>\n", "#include <a>\n");
}

#define OPENS  "cpucuda::kernel([=]() mutable -> void {"
#define OPEN   "{ " OPENS
#define OPEN_N "{ CPUCUDA_ARGUMENTS(n); " OPENS
#define CLOSE  "}); }"
#define LEAVES "return cpucuda::leaves(CPUCUDA_HERE(return))"

TEST(test_kernels) {
    stays("__global__ void k(int n);");
    stays("#define __global__ something\n#undef __global__\n");
    stays("template __global__ void k<3>(S s = {1});");
    becomes("__global__ void k(const A<int, 3> *a, float *b, unsigned n[]) { }",
            "__global__ void k(const A<int, 3> *a, float *b, unsigned n[]) { "
            "CPUCUDA_ARGUMENTS(a, b, n); " OPENS " " CLOSE);
    becomes("__global__ void k(S s = {1}) { if (s) { return; } }",
            "__global__ void k(S s = {1}) { CPUCUDA_ARGUMENTS(s); " OPENS " if (s) { " LEAVES
            "; } " CLOSE);
    becomes("__global__ void k() {\nauto f = [&](int i) -> bool { return; };\n[&] { return; }();\n"
            "a[i] = [] { { return; } };\nif (a[i]) { return; }\nreturn /* */ ;\nreturn f; }\n"
            "void h() { return; }\n",
            "__global__ void k() " OPEN "\nauto f = [&](int i) -> bool { return; };\n"
            "[&] { return; }();\na[i] = [] { { return; } };\nif (a[i]) { " LEAVES ";"
            " }\n" LEAVES " /* */ ;\nreturn f; " CLOSE "\nvoid h() { return; }\n");
    becomes("#define K(T) __global__ void k_##T() { return; }\n",
            "#define K(T) __global__ void k_##T() " OPEN " " LEAVES "; " CLOSE "\n");
    becomes("#if A\n__global__ void k(int n) {\n#else\n__global__ void k() {\n#endif\nreturn;\n}\n",
            "#if A\n__global__ void k(int n) " OPEN_N "\n#else\n__global__ void k() " OPEN
            "\n#endif\n" LEAVES ";\n" CLOSE "\n");
    becomes("#define K(T) __global__ void k_##T() { }\nK(int)\n",
            "#define K(T) __global__ void k_##T() " OPEN " " CLOSE "\nK(int)\n");
    becomes("#if A\n__global__ void k(int n) {\n#elif B\n__global__ void k(long n) {\n"
            "#else\n__global__ void k() {\n#endif\nif (a) { }\n}\nint a() { }\n",
            "#if A\n__global__ void k(int n) " OPEN_N "\n#elif B\n__global__ void k(long n) " OPEN_N
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
TEST(test_noinline) {
    becomes("__device__ __noinline__ int f(int a);",
            "__device__ __attribute__((noinline)) int f(int a);");
    becomes("#define SLOW __noinline__\n", "#define SLOW __attribute__((noinline))\n");
    stays("__attribute__((__noinline__)) int f(int a);");
    stays("const char *text = \"__noinline__\"; /* __noinline__ */");
}

TEST(test_static_shared) {
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

TEST(test_alignment) {
    becomes("void f() { alignas(16) __shared__ __align__(8) float a[3]; }",
            "void f() {  typedef  float cpucuda_type_a[3]; struct alignas(16) __align__(8) "
            "cpucuda_tag_a {};" STATIC_REFERENCE("a") "; }");
    becomes("void f() { extern __shared__ __align__(16) char a[]; }",
            "void f() { typedef   char cpucuda_type_a[];" DYNAMIC("a") "; }");
}

TEST(test_shared_in_macros) {
    becomes(
        "#define TILE(T, n) __shared__ T n[32]\n",
        "#define TILE(T, n) typedef T cpucuda_type_##n[32]; struct cpucuda_tag_##n {}; auto &n = "
        "cpucuda::shared<cpucuda_type_##n, cpucuda_tag_##n>(CPUCUDA_HERE(n))\n");
    becomes("#define TILE(n) extern __shared__ int s_##n[];\n",
            "#define TILE(n) typedef  int cpucuda_type_##s_##n[]; auto &s_##n = "
            "cpucuda::dynamic_shared<cpucuda_type_##s_##n>(CPUCUDA_HERE(s_##n));\n");
}

TEST(test_dynamic_shared) {
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

TEST(test_loops) {
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

/* A program may include several headers, and has one list. */
TEST(test_header) {
    struct result result;

    write_file("in.h", "__global__ void k() { ; }\nk<<<1, 2>>>();\n#pragma unroll\n");
    result = run("'%s' in.h", rewriter);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, "#line 1 \"in.h\"\n__global__ void k() " OPEN " ; " CLOSE
                                    "\n" LAUNCH("k", "1, 2", "") ";\n#pragma unroll\n");
}

/* A constant of the compiler's shares no section with variables in constant memory. */
TEST(test_constant_memory) {
    stays("static __constant__ float a[4], b = 2;\n__constant__ struct P { int x; } p;");
    becomes("__constant__ const float a[] = {1};\nstatic constexpr __constant__ int b{2};",
            " const float a[] = {1};\nstatic constexpr  int b{2};");
    stays("const int a = 1;\n__constant__ float b[a];\nvoid f(const int c);");
}

TEST(test_left_alone) {
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

/* Three threads of a block leave early. */
#define LEAVES_42 "sample.cu:42 leaves\nsample.cu:42 leaves\nsample.cu:42 leaves\n"

TEST(test_compiles_and_runs) {
    static const char *const compilers[] = {"g++", "clang++"};
    static const char output[] =
        "sample.cu:66 sums<4, (2 > 1)>\n" LEAVES_42 LEAVES_42 "2 4014 4014\n"
        "sample.cu:68 (*pointer)\n<<<__shared__ 3 3\nsample.cu:70 dynamic\n-1 -1\n"
        "sample.cu:72 dynamic\n4 4 at 73\n24 turns, unrolled by 1 at 44, 2 at 74, 1 at 80\n";
    struct result result = run("cp '%s'/common/tests/rewriter/* .", root);
    size_t i;
    assert_code(result, 0);
    result = run("'%s' sample.cu >sample.cpp", rewriter);
    assert_code(result, 0);
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
    }
}

/* Every CUDA source of the course can be rewritten. */
TEST(test_the_courses_sources) {
    struct result result =
        run("for f in $(cd '%s' && find common solutions steps -name '*.cu'); do "
            "'%s' '%s'/$f >out.cpp || exit 1; echo $f; done",
            root, rewriter, root);

    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_true(count_lines(result.out) > 40);
    assert_says(result.out, "solutions/07_device_integration/nbody.cu\n");
    assert_says(result.out, "common/problems/nbody/trusted.cu\n");
}

GROUP(enter_folder, leave_tree)
