/* build/cuda_to_cpp's list of unrolled loops, and nvcc's. */
#include "testing.h"
#include "rewritten.h"

/* Line and form: 1 a name, 2 a macro, 3 a number, 4 nothing. */
TEST(test_unrolled_loops) {
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
TEST(test_unroll_as_nvcc) {
    int has_nvcc = !system("command -v nvcc >/dev/null");
    char *text = spell_all(), ignored[64], refused[64], form[64];
    struct result ours, nvcc = {0};
    size_t i;

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
}

GROUP(enter_folder, leave_tree)
