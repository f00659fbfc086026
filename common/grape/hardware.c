/* What the hardware needs and a library does not. */
#include "grape6.h"

int g6_set_tunit(int exponent) {
    (void)exponent;
    return 0;
}

int g6_set_xunit(int exponent) {
    (void)exponent;
    return 0;
}

int g6_initialize_jp_buffer(int id, int size) {
    (void)id, (void)size;
    return 0;
}

int g6_flush_jp_buffer(int id) {
    (void)id;
    return 0;
}

int g6_reset(int id) {
    (void)id;
    return 0;
}

int g6_reset_fofpga(int id) {
    (void)id;
    return 0;
}

int g6_set_overflow_flag_test_mode(int acc, int jerk, int pot) {
    (void)acc, (void)jerk, (void)pot;
    return 0;
}

int g6_setup_njdata(int id, int nj) {
    (void)id, (void)nj;
    return 0;
}

void g6_set_i_particle_scales_from_real_value(int id, int pipe, double acc[3], double jerk[3],
                                              double phi, double jfactor, double ffactor) {
    (void)id, (void)pipe, (void)acc, (void)jerk, (void)phi, (void)jfactor, (void)ffactor;
}
