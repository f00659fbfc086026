#include "half_reference.h"
#include "half.h"

int main(void) {
    test_conversions();
    test_arithmetic();
    test_functions();
    test_comparisons();
    test_pairs();
    test_threads();
    return failures != 0;
}
