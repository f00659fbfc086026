/* Steps of several passes that are right for one pass, for the first ones or in an object's first
 * run: each is rejected, and the message says which. */
#include "testing.h"
#include "edited.h"

#define FIRST_RUN "right in the first run of an object, wrong in the second"

TEST(sums) {
    static const struct mutant mutants[] = {
        {"    reduction->pass = 0;", "", 1000, OUTCOME_WRONG, FIRST_RUN},
        {"CUDA_CHECK(cudaMemsetAsync(sum, 0,",
         "if (reduction->pass < 3) CUDA_CHECK(cudaMemsetAsync(sum, 0,", 1000, OUTCOME_WRONG,
         "right after 1 and 2 passes, wrong after"},
    };

    assert_rejected("21_reduce", "solutions/21_reduce/reduce.cu", (struct edit){NULL}, mutants,
                    sizeof mutants / sizeof *mutants);
}

TEST(scans) {
    static const struct mutant mutants[] = {
        {"pass < passes;", "pass < min(passes, 3);", 1000, OUTCOME_WRONG, "a pass before the last"},
        {"CUDA_CHECK(cudaMemcpy(scan->elements,",
         "if (!scan->made) CUDA_CHECK(cudaMemcpy(scan->elements,", 1000, OUTCOME_WRONG, FIRST_RUN},
    };

    assert_rejected("22_scan", "solutions/22_scan/scan.cu", (struct edit)SPLICED("items.h"),
                    mutants, sizeof mutants / sizeof *mutants);
}

TEST(sorts) {
    static const struct mutant mutants[] = {
        {"s < sorts;", "s < min(sorts, 2);", 1000, OUTCOME_WRONG, "a sort before the last"},
        {"    sort->made = 0;", "", 1000, OUTCOME_WRONG, FIRST_RUN},
    };

    assert_rejected("23_radix_sort", "solutions/23_radix_sort/sort.cu",
                    (struct edit)SPLICED("keys.h"), mutants, sizeof mutants / sizeof *mutants);
}

TEST(products) {
    static const struct mutant mutants[] = {
        {"    copy_in(to->values,", "    if (!product->pass) copy_in(to->values,", 1000,
         OUTCOME_WRONG, FIRST_RUN},
    };

    assert_rejected("24_spmv", "solutions/24_spmv/spmv.cu", (struct edit)SPLICED("products.h"),
                    mutants, sizeof mutants / sizeof *mutants);
}

GROUP(read_catalogue_without_nvcc, NULL)
