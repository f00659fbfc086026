/* The interface for Fortran: an underscore behind each name, and all arguments by address. */
#include "clusters.h"
#include "grape6.h"

int g6_open_(int *id) {
    return g6_open(*id);
}

int g6_close_(int *id) {
    return g6_close(*id);
}

int g6_npipes_(void) {
    return g6_npipes();
}

int g6_set_tunit_(int *exponent) {
    return g6_set_tunit(*exponent);
}

int g6_set_xunit_(int *exponent) {
    return g6_set_xunit(*exponent);
}

int g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                       double x[3]) {
    return g6_set_j_particle(*id, *address, *index, *tj, *dtj, *mass, a2by18, a1by6, aby2, v, x);
}

int g6_set_j_particle_mxonly_(int *id, int *address, int *index, double *mass, double x[3]) {
    return g6_set_j_particle_mxonly(*id, *address, *index, *mass, x);
}

int g6_set_jerk_mode_(int *id, int *mode) {
    return g6_set_jerk_mode(*id, *mode);
}

int g6_set_ti_(int *id, double *ti) {
    return g6_set_ti(*id, *ti);
}

void g6calc_firsthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                       double fold[][3], double jold[][3], double phiold[], double *eps2,
                       double h2[]) {
    g6calc_firsthalf(*id, *nj, *ni, index, xi, vi, fold, jold, phiold, *eps2, h2);
}

int g6calc_lasthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                     double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[]) {
    return g6calc_lasthalf(*id, *nj, *ni, index, xi, vi, *eps2, h2, acc, jerk, pot);
}

int g6calc_lasthalf2_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                      double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nearest[]) {
    return g6calc_lasthalf2(*id, *nj, *ni, index, xi, vi, *eps2, h2, acc, jerk, pot, nearest);
}

SAME(g6calc_lasthalfn_, g6calc_lasthalf_);
SAME(g6calc_lasthalf2n_, g6calc_lasthalf2_);

int g6_read_neighbour_list_(int *id) {
    return g6_read_neighbour_list(*id);
}

int g6_get_neighbour_list_(int *id, int *pipe, int *most, int *count, int list[]) {
    return g6_get_neighbour_list(*id, *pipe, *most, count, list);
}

void g6_set_neighbour_list_sort_mode_(int *mode) {
    g6_set_neighbour_list_sort_mode(*mode);
}

int g6_get_neighbour_list_sort_mode_(void) {
    return g6_get_neighbour_list_sort_mode();
}

int g6_initialize_jp_buffer_(int *id, int *size) {
    return g6_initialize_jp_buffer(*id, *size);
}

int g6_flush_jp_buffer_(int *id) {
    return g6_flush_jp_buffer(*id);
}

int g6_reset_(int *id) {
    return g6_reset(*id);
}

int g6_reset_fofpga_(int *id) {
    return g6_reset_fofpga(*id);
}

int g6_set_overflow_flag_test_mode_(int *acc, int *jerk, int *pot) {
    return g6_set_overflow_flag_test_mode(*acc, *jerk, *pot);
}

int g6_setup_njdata_(int *id, int *nj) {
    return g6_setup_njdata(*id, *nj);
}

void g6_set_i_particle_(int *id, int *pipe, int *index, double x[3], double v[3], double *eps2,
                        double *h2) {
    g6_set_i_particle(*id, *pipe, *index, x, v, *eps2, *h2);
}

void g6_set_i_particle_scales_from_real_value_(int *id, int *pipe, double acc[3], double jerk[3],
                                               double *phi, double *jfactor, double *ffactor) {
    g6_set_i_particle_scales_from_real_value(*id, *pipe, acc, jerk, *phi, *jfactor, *ffactor);
}

void g6_set_nip_(int *id, int *ni) {
    g6_set_nip(*id, *ni);
}

void g6_set_njp_(int *id, int *nj) {
    g6_set_njp(*id, *nj);
}

int g6_get_force_(int *id, double acc[][3], double jerk[][3], double pot[], int flag[]) {
    return g6_get_force(*id, acc, jerk, pot, flag);
}

int g6_get_force_etc_(int *id, double acc[][3], double jerk[][3], double pot[], int nearest[],
                      int flag[]) {
    return g6_get_force_etc(*id, acc, jerk, pot, nearest, flag);
}

void g6_get_predicted_j_particles_(int *id, int *nj, double x[][3], double v[][3]) {
    g6_get_predicted_j_particles(*id, *nj, x, v);
}

int g6_getnjmax_(int *id) {
    return g6_getnjmax(*id);
}

/* kirin's names, as they are and as a Fortran compiler writes them. */

SAME(GPU_open_, g6_open_);
SAME(GPU_close_, g6_close_);
SAME(GPU_npipes_, g6_npipes_);
SAME(GPU_set_ti_, g6_set_ti_);
SAME(GPU_set_j_particle_, g6_set_j_particle_);
SAME(GPUcalc_firsthalf_, g6calc_firsthalf_);
SAME(GPUcalc_lasthalf_, g6calc_lasthalf_);
SAME(GPUcalc_lasthalf2_, g6calc_lasthalf2_);
SAME(gpu_open_, g6_open_);
SAME(gpu_close_, g6_close_);
SAME(gpu_npipes_, g6_npipes_);
SAME(gpu_set_ti_, g6_set_ti_);
SAME(gpu_set_j_particle_, g6_set_j_particle_);
SAME(gpucalc_firsthalf_, g6calc_firsthalf_);
SAME(gpucalc_lasthalf_, g6calc_lasthalf_);
SAME(gpucalc_lasthalf2_, g6calc_lasthalf2_);
