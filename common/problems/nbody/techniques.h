/* What the N-body problems offer for technique checks. */
#ifndef NBODY_TECHNIQUES_H
#define NBODY_TECHNIQUES_H

#include "problems/technique.h"

/* Pairs of bodies that the observed run has computed. */
double nbody_interactions(const struct observed *observed);

/* techniques_c.c: programs in C. */
extern const struct technique nbody_work_of_other_threads, nbody_roots_in_vectors;

/* techniques_run.c: launches, copies, flags and roots. */
extern const struct technique nbody_launches_per_iteration, nbody_threads_per_block_as_given,
    nbody_unrolled_by_constant, nbody_copies_each_way, nbody_other_roots,
    nbody_rsqrtf_per_interaction, nbody_denormals_flushed, nbody_page_locked_copies;

/* techniques_memory.c: what kernels ask of memory. */
extern const struct technique nbody_sectors_per_request, nbody_global_bytes_per_interaction,
    nbody_constant_bytes_per_interaction, nbody_global_loads_of_2_bytes,
    nbody_shared_loads_of_2_bytes, nbody_loads_of_16_bytes, nbody_loads_per_interaction,
    nbody_threads_per_body, nbody_bytes_stored_per_body;

/* techniques_units.c: tensor cores and several devices. */
extern const struct technique nbody_products_per_256_pairs, nbody_roots_on_tensor_cores,
    nbody_roots_per_interaction, nbody_roots_of_busiest_device, nbody_roots_of_all_devices,
    nbody_bytes_between_devices, nbody_kernels_beside_exchange;

/* techniques.c: all of them. */
extern const struct technique *const nbody_techniques[];

#endif
