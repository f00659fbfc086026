/* The modified Bessel functions of orders 0 and 1, and the rotation curve of a thin disk that is
 * made of them. */
#ifndef BESSEL_H
#define BESSEL_H

#include <math.h>

/* exp(-x) I_0(x) and exp(-x) I_1(x) for x >= 0: 1/pi times the integral of exp(x (cos t - 1)) cos(n
 * t) from 0 to pi (Abramowitz and Stegun 1964, 9.6.19). For such a periodic function the
 * trapezoidal rule is exact to roundings, up to x = 300. */
static inline void bessel_i_scaled(double x, double *i0, double *i1) {
    enum { CELLS = 128 };

    *i0 = *i1 = 0;
    for (int k = 0; k <= CELLS; k++) {
        double cosine = cos(3.141592653589793 * k / CELLS);
        double part = (k % CELLS ? 1.0 : 0.5) / CELLS * exp(x * (cosine - 1));

        *i0 += part;
        *i1 += part * cosine;
    }
}

/* exp(x) K_0(x) and exp(x) K_1(x) for x > 0: the integral of exp(-x (cosh t - 1)) cosh(n t) over t
 * from 0 on (9.6.24). The function falls off doubly exponentially, so the trapezoidal rule is exact
 * to roundings here, too. */
static inline void bessel_k_scaled(double x, double *k0, double *k1) {
    static const double step = 1.0 / 24;
    double part = step, cosine = 1;

    *k0 = *k1 = step / 2;
    for (int k = 1; part * cosine > 1e-17 * *k1; k++) {
        cosine = cosh(step * k);
        part = step * exp(-x * (cosine - 1));
        *k0 += part;
        *k1 += part * cosine;
    }
}

/* The squared circular velocity at R in the plane of a razor-thin exponential disk, G = 1: with y =
 * R / (2 scale), 2 mass / scale y^2 (I_0 K_0 - I_1 K_1)(y) (Freeman 1970; Binney and Tremaine,
 * Galactic Dynamics, 2008, equation 2.165). */
static inline double thin_disk_speed_squared(double mass, double scale, double radius) {
    double y = radius / (2 * scale), i0, i1, k0, k1;

    bessel_i_scaled(y, &i0, &i1);
    bessel_k_scaled(y, &k0, &k1);
    return 2 * mass / scale * y * y * (i0 * k0 - i1 * k1);
}

#endif
