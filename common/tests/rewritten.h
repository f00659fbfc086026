/* Text and what build/cuda_to_cpp makes of it, in a folder of its own. */
#ifndef REWRITTEN_H
#define REWRITTEN_H

#include "command.h"

static char root[4096], rewriter[4200];

static inline int enter_folder(void **state) {
    char path[128];

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    snprintf(rewriter, sizeof rewriter, "%s/build/cuda_to_cpp", root);
    snprintf(path, sizeof path, "%s/build", tree);
    return mkdir(path, 0777) || chdir(tree);
}

static inline struct result rewrite_bytes(const char *text, size_t size) {
    write_bytes("in.cu", text, size);
    return run("'%s' in.cu", rewriter);
}

/* The input becomes the output, between its #line and the list of unrolled loops. */
static inline void becomes_listed(const char *input, const char *output, const char *unrolled) {
    struct result result = rewrite_bytes(input, strlen(input));
    char expected[4096];

    snprintf(expected, sizeof expected,
             "#line 1 \"in.cu\"\n%s\nextern \"C\" { extern const int cpucuda_unrolled[]; }\n"
             "const int cpucuda_unrolled[] = {%s0};\n",
             output, unrolled);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_string_equal(result.out, expected);
}

#endif
