/* cuda_check.h: what it prints of a call that fails, and that a call is made once. The runtime is a
 * stand-in, for there may be no toolkit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>

#include "command.h"

static int set_up(void **state) {
    char path[128], root[512];
    struct result result;

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(path, sizeof path, "%s/build", tree);
    if (mkdir(path, 0777) || chdir(tree))
        return -1;
    write_file("cuda_runtime.h",
               "enum cudaError_t { cudaSuccess, cudaErrorInvalidValue };\n"
               "inline const char *cudaGetErrorString(cudaError_t error) {\n"
               "    return error == cudaErrorInvalidValue ? \"invalid argument\" : \"?\";\n"
               "}\n");
    write_file("step.cu", "#include \"cuda_check.h\"\n"
                          "#define BYTES 24\n"
                          "static int calls;\n"
                          "static cudaError_t copy(int bytes) {\n"
                          "    calls++;\n"
                          "    return bytes < 0 ? cudaErrorInvalidValue : cudaSuccess;\n"
                          "}\n"
                          "int main(int arguments, char **) {\n"
                          "    CUDA_CHECK(copy(BYTES));\n"
                          "    if (arguments > 1)\n"
                          "        CUDA_CHECK(copy(\n"
                          "            -BYTES));\n"
                          "    else\n"
                          "        CUDA_CHECK(copy(0));\n"
                          "    return calls;\n"
                          "}\n");
    result = run("c++ -std=c++17 -Wall -Wextra -Werror -I. -I'%s/common/include' -o step -x c++ "
                 "step.cu",
                 root);
    assert_code(result, 0);
    result_free(result);
    return 0;
}

static void test_success_is_silent(void **state) {
    struct result result = run("./step");

    (void)state;
    assert_code(result, 2);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    result_free(result);
}

static void test_failure_names_place_call_and_error(void **state) {
    struct result result = run("./step fail");

    (void)state;
    assert_code(result, 1);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "step.cu:11: copy( -BYTES): invalid argument\n");
    result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_success_is_silent),
        cmocka_unit_test(test_failure_names_place_call_and_error),
    };
    return cmocka_run_group_tests(tests, set_up, leave_tree);
}
