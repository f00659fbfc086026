#include "half.h"
#include "half_reference.h"

int main(int argc, char **argv) {
    if (argc > 1)
        make_mistake(atoi(argv[1]));
    test_conversions();
    test_arithmetic();
    test_functions();
    test_comparisons();
    test_pairs();
    test_threads();
    return failures != 0;
}
