/* Roots, exponentials and their kin of half and half2. The toolkit documents all of them as rounded
 * to the nearest half. So they are here: computed in double and rounded once more, which the tests
 * compare with wider arithmetic for all 65536 halves. htanh_approx is left out: the GPU's is an
 * approximation whose results nothing here would have. */
#ifndef CPUCUDA_HALF_FUNCTIONS_H
#define CPUCUDA_HALF_FUNCTIONS_H

#define CPUCUDA_FUNCTION(name, ...)                                                                \
    inline __half h##name(__half a) {                                                              \
        double value = (float)a;                                                                   \
                                                                                                   \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    CPUCUDA_UNARY(h2##name, h##name)

CPUCUDA_FUNCTION(sqrt, sqrt(value))
CPUCUDA_FUNCTION(rsqrt, 1 / sqrt(value))
CPUCUDA_FUNCTION(rcp, 1 / value)
CPUCUDA_FUNCTION(exp, exp(value))
CPUCUDA_FUNCTION(exp2, exp2(value))
CPUCUDA_FUNCTION(exp10, pow(10, value))
CPUCUDA_FUNCTION(log, log(value))
CPUCUDA_FUNCTION(log2, log2(value))
CPUCUDA_FUNCTION(log10, log10(value))
CPUCUDA_FUNCTION(sin, sin(value))
CPUCUDA_FUNCTION(cos, cos(value))
CPUCUDA_FUNCTION(tanh, tanh(value))
CPUCUDA_FUNCTION(floor, floor(value))
CPUCUDA_FUNCTION(ceil, ceil(value))
CPUCUDA_FUNCTION(trunc, trunc(value))
CPUCUDA_FUNCTION(rint, rint(value))

#undef CPUCUDA_FUNCTION
#undef CPUCUDA_UNARY

#endif
