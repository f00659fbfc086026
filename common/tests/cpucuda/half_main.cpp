#include "half.h"
#include "half_reference.h"

int main(int count, char **arguments) {
    if (count > 1)
        make_mistake(atoi(arguments[1]));
    test_conversions();
    test_arithmetic();
    test_functions();
    test_comparisons();
    test_pairs();
    test_threads();
    return failures != 0;
}
