/* The interface of the GRAPE-6, a computer for gravity, as the library libgrape6 has it: bodies j
 * lie in a memory and are predicted to a time; bodies i, at most g6_npipes() per call, feel them.
 *
 * Units are the caller's, with G = 1. A call works on one cluster of boards, named by its id, 0 to
 * GRAPE6_CLUSTERS - 1. Clusters share nothing, so threads may use different ones at the same time;
 * calls of one cluster wait for each other.
 *
 * A function that fails returns a code below 0, writes one line to stderr, and leaves the bodies,
 * the time and the caller's arrays as they were.
 *
 * Each function has a second name with an underscore behind it, for Fortran, where all arguments
 * are pointers; a(3, n) is the a[n][3] of C. Arrays that are only read have no `const`, since
 * programs have declarations of their own, all without it.
 *
 * Two environment variables choose what the interface has no argument for. GRAPE6_BACKEND, read
 * when a cluster is opened, names what computes: gpu, if the library was built with nvcc, or cpu.
 * If it is not set, the first of these that the machine has is taken. GRAPE6_PIPES, read once per
 * process, is how many bodies i a call takes at most: 1 to GRAPE6_MOST_PIPES, 16384 if it is not
 * set. */
#ifndef GRAPE6_H
#define GRAPE6_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    GRAPE6_CLUSTERS = 256,   /* at the same time */
    GRAPE6_BODIES = 1 << 26, /* addresses of a cluster's memory, from 0 */
    GRAPE6_MOST_PIPES = 1 << 20,
};

/* What functions return when they fail. */
enum {
    GRAPE6_NOT_OPEN = -1,     /* no such cluster, not open, or open already */
    GRAPE6_BAD_ARGUMENT = -2, /* a number out of its range, or none at all (NaN) */
    GRAPE6_NO_FORCE = -3,     /* no call before has given what is asked for */
    GRAPE6_NO_MEMORY = -4,
    GRAPE6_OVERFLOW = -5, /* a force that is not finite: bodies too near or too far */
    GRAPE6_GPU = -6,      /* a GPU failed; the line before says how */
};

/* A cluster begins without bodies and with the time 0. */
int g6_open(int id);
int g6_open_(int *id);
int g6_close(int id);
int g6_close_(int *id);

/* Opens cluster 0; the name is that of the library sapporo. It ignores `list`: the GPUs are those
 * that CUDA_VISIBLE_DEVICES names. */
int g6_open_special(int count, int list[]);

/* How many bodies i a call takes at most. */
int g6_npipes(void);
int g6_npipes_(void);

/* The resolution of times and lengths on the hardware. Ignored: all is computed in double. */
int g6_set_tunit(int exponent);
int g6_set_tunit_(int *exponent);
int g6_set_xunit(int exponent);
int g6_set_xunit_(int *exponent);

/* Writes a body to an address; an address that was never written holds no body. `index` is the
 * caller's number for the body, any. With dt = ti - tj the body is at
 *     x + v dt + aby2 dt^2 + a1by6 dt^3 + 3/4 a2by18 dt^4
 * and its velocity is this one's derivative. `dtj` is ignored. */
int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                      double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
int g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
/* A body that rests. */
int g6_set_j_particle_mxonly(int id, int address, int index, double mass, double x[3]);
int g6_set_j_particle_mxonly_(int *id, int *address, int *index, double *mass, double x[3]);

/* The time that the next force is for. */
int g6_set_ti(int id, double ti);
int g6_set_ti_(int *id, double *ti);

/* Takes `ni` bodies i, at xi[ni][3] with velocities vi[ni][3], and predicts the bodies j at
 * addresses 0 to nj - 1 to the time set. Bodies that are written later count from the next first
 * half on. `h2` may be NULL if no lists are read. `fold`, `jold` and `phiold` are ignored. An error
 * is reported here; the second half returns its code. */
void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double fold[][3], double jold[][3], double phiold[], double eps2,
                      double h2[]);
void g6calc_firsthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                       double fold[][3], double jold[][3], double phiold[], double *eps2,
                       double h2[]);

/* For each body i, with r = x_j - x_i, v likewise and s^2 = r^2 + eps2, summed over bodies j that
 * have another index:
 *
 *     acc  = sum of m r / s^3
 *     jerk = sum of m (v / s^3 - 3 (r.v) r / s^5)
 *     pot  = - sum of m / s
 *
 * With eps2 = 0 a body j at the same place adds nothing. A body i with an index that no body j has,
 * such as -1, is a test point. `nj` and `ni` are those of the first half; the other inputs are not
 * read again. Errors are below 1e-11 of the sums of the terms' magnitudes. On one machine the bits
 * are the same on every run, with any number of threads, whatever other bodies i are in the call.
 */
int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
int g6calc_lasthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                     double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);

/* The same, and the index of the nearest body j of another index, by r^2; if several are equally
 * near, the one at the lowest address; -1 if there is none. */
int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                     int nearest[]);
int g6calc_lasthalf2_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                      double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nearest[]);

/* The same two functions by their names in Phantom-GRAPE. There only these prepare lists of
 * neighbours; here all do. */
int g6calc_lasthalfn(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
int g6calc_lasthalfn_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                      double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
int g6calc_lasthalf2n(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nearest[]);
int g6calc_lasthalf2n_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                       double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                       int nearest[]);

/* With mode 0 no jerks are computed, and all are 0: a tree code needs none. Only this library has
 * this function. */
int g6_set_jerk_mode(int id, int mode);
int g6_set_jerk_mode_(int *id, int *mode);

/* Finds all neighbours of the bodies i of the last force: bodies j of another index with r^2 <
 * h2. */
int g6_read_neighbour_list(int id);
int g6_read_neighbour_list_(int *id);

/* The neighbours of body i number `pipe`, counted from 0: `list` gets the first `most` of their
 * indices, in ascending order; `*count` becomes the number of all. Returns 1 if there are more than
 * `most`. */
int g6_get_neighbour_list(int id, int pipe, int most, int *count, int list[]);
int g6_get_neighbour_list_(int *id, int *pipe, int *most, int *count, int list[]);

/* The mode is only remembered: lists are always sorted. */
void g6_set_neighbour_list_sort_mode(int mode);
void g6_set_neighbour_list_sort_mode_(int *mode);
int g6_get_neighbour_list_sort_mode(void);
int g6_get_neighbour_list_sort_mode_(void);

/* What the hardware needs and a library does not; each returns 0. */
int g6_initialize_jp_buffer(int id, int size);
int g6_initialize_jp_buffer_(int *id, int *size);
int g6_flush_jp_buffer(int id);
int g6_flush_jp_buffer_(int *id);
int g6_reset(int id);
int g6_reset_(int *id);
int g6_reset_fofpga(int id);
int g6_reset_fofpga_(int *id);
int g6_set_overflow_flag_test_mode(int acc, int jerk, int pot);
int g6_set_overflow_flag_test_mode_(int *acc, int *jerk, int *pot);
int g6_setup_njdata(int id, int nj);
int g6_setup_njdata_(int *id, int *nj);

/* The two halves in smaller pieces: bodies i are written to pipes, from 0; the numbers of bodies i
 * and j are set, in any order. g6_get_force() is for all pipes, at the time set, and sets flag[] to
 * 0. */
void g6_set_i_particle(int id, int pipe, int index, double x[3], double v[3], double eps2,
                       double h2);
void g6_set_i_particle_(int *id, int *pipe, int *index, double x[3], double v[3], double *eps2,
                        double *h2);
void g6_set_i_particle_scales_from_real_value(int id, int pipe, double acc[3], double jerk[3],
                                              double phi, double jfactor,
                                              double ffactor); /* ignored */
void g6_set_i_particle_scales_from_real_value_(int *id, int *pipe, double acc[3], double jerk[3],
                                               double *phi, double *jfactor, double *ffactor);
void g6_set_nip(int id, int ni);
void g6_set_nip_(int *id, int *ni);
void g6_set_njp(int id, int nj);
void g6_set_njp_(int *id, int *nj);
int g6_get_force(int id, double acc[][3], double jerk[][3], double pot[], int flag[]);
int g6_get_force_(int *id, double acc[][3], double jerk[][3], double pot[], int flag[]);
int g6_get_force_etc(int id, double acc[][3], double jerk[][3], double pot[], int nearest[],
                     int flag[]);
int g6_get_force_etc_(int *id, double acc[][3], double jerk[][3], double pot[], int nearest[],
                      int flag[]);

/* Where the bodies at addresses 0 to nj - 1 are at the time set, and how fast; zeros for none. */
void g6_get_predicted_j_particles(int id, int nj, double x[][3], double v[][3]);
void g6_get_predicted_j_particles_(int *id, int *nj, double x[][3], double v[][3]);

/* GRAPE6_BODIES. */
int g6_getnjmax(int id);
int g6_getnjmax_(int *id);

/* The names of the library kirin (Belleman, Bedorf and Portegies Zwart, 2008); also all in small
 * letters, as Fortran compilers write the second ones. */
int GPU_open(int id);
int GPU_close(int id);
int GPU_npipes(void);
int GPU_set_ti(int id, double ti);
int GPU_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
void GPUcalc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                       double fold[][3], double jold[][3], double phiold[], double eps2,
                       double h2[]);
int GPUcalc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
int GPUcalc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nearest[]);

int GPU_open_(int *id);
int GPU_close_(int *id);
int GPU_npipes_(void);
int GPU_set_ti_(int *id, double *ti);
int GPU_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                        double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                        double x[3]);
void GPUcalc_firsthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                        double fold[][3], double jold[][3], double phiold[], double *eps2,
                        double h2[]);
int GPUcalc_lasthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                      double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
int GPUcalc_lasthalf2_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                       double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                       int nearest[]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
