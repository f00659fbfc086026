/* The names of the library kirin; those for Fortran are in fortran.c. */
#include "grape6.h"

int GPU_open(int id) {
    return g6_open(id);
}

int GPU_close(int id) {
    return g6_close(id);
}

int GPU_npipes(void) {
    return g6_npipes();
}

int GPU_set_ti(int id, double ti) {
    return g6_set_ti(id, ti);
}

int GPU_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                       double x[3]) {
    return g6_set_j_particle(id, address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x);
}

void GPUcalc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                       double fold[][3], double jold[][3], double phiold[], double eps2,
                       double h2[]) {
    g6calc_firsthalf(id, nj, ni, index, xi, vi, fold, jold, phiold, eps2, h2);
}

int GPUcalc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[]) {
    return g6calc_lasthalf(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot);
}

int GPUcalc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nearest[]) {
    return g6calc_lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nearest);
}
