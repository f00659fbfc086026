/* How messages are put together. */
#include "testing.h"
#include "problems/text.h"

TEST(test_one_is_singular) {
    static const char *const rows[][2] = {
        {"1 of 1 bodies hold NaN: body 0", "1 of 1 body holds NaN: body 0"},
        {"n = 5: 1 of 1000 bodies were never written", "n = 5: 1 of 1000 bodies was never written"},
        {"1 of 5 elements of y were never", "1 of 5 elements of y was never"},
        {"1 of 9 elements of the timed run are wrong", "1 of 9 elements of the timed run is wrong"},
        {"k, block (0,0,0): 1 threads ((3,0,0) is one) wait at a and 1 (4) at b",
         "k, block (0,0,0): 1 thread ((3,0,0) is one) waits at a and 1 (4) at b"},
        {"while 1 threads wait at __syncthreads", "while 1 thread waits at __syncthreads"},
        {"called rsqrtf 1 times, and sqrtf 1 times", "called rsqrtf 1 time, and sqrtf 1 time"},
        {"copied 1 times to the device and 1 times back",
         "copied 1 time to the device and 1 time back"},
        {"1 wavefronts", "1 wavefront"},
        {"node 3 has 1 children; a node has none", "node 3 has 1 child; a node has none"},
    };
    static const char *const right[] = {
        "2 of 5 bodies were never written",
        "11 of 1000 bodies were never written",
        "2 x 1 x 1 threads per block",
        "0.1 bytes are",
        "n = 1 bodies are",
        "1, 2 and 3 threads are",
        "1 of the bodies were",
        "1 of 3",
        "1 ",
        "in 21 bodies",
        "in row 1; the others are",
        "only bodies 0 to 1 are off",
        "the links of node 1 of 5 have what",
        "1 of 5 bodies",
        "1 of 5 bodies that were looked at",
        "they reach 1 times as far",
    };
    char text[128];
    size_t i;

    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        strcpy(text, rows[i][0]);
        text_agree(text, sizeof text);
        assert_string_equal(text, rows[i][1]);
    }
    for (i = 0; i < sizeof right / sizeof *right; i++) {
        strcpy(text, right[i]);
        text_agree(text, sizeof text);
        assert_string_equal(text, right[i]);
    }
    strcpy(text, "1 of 2 bodies hold");
    text_agree(text, strlen(text) + 1); /* there is no room for one letter more */
    assert_string_equal(text, "1 of 2 bodies hold");
    text_agree(text, strlen(text) + 2);
    assert_string_equal(text, "1 of 2 bodies holds");
}

GROUP(NULL, NULL)
