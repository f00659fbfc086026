#include "techniques.h"

double nbody_interactions(const struct observed *observed) {
    return (double)observed->n * observed->n * observed->iterations;
}

const struct technique *const nbody_techniques[] = {
    &nbody_work_of_other_threads,
    &nbody_roots_in_vectors,
    &nbody_launches_per_iteration,
    &nbody_threads_per_block_as_given,
    &nbody_unrolled_by_constant,
    &nbody_copies_each_way,
    &nbody_other_roots,
    &nbody_rsqrtf_per_interaction,
    &nbody_denormals_flushed,
    &nbody_page_locked_copies,
    &nbody_sectors_per_request,
    &nbody_global_bytes_per_interaction,
    &nbody_constant_bytes_per_interaction,
    &nbody_global_loads_of_2_bytes,
    &nbody_shared_loads_of_2_bytes,
    &nbody_loads_of_16_bytes,
    &nbody_loads_per_interaction,
    &nbody_threads_per_body,
    &nbody_bytes_stored_per_body,
    &nbody_products_per_256_pairs,
    &nbody_roots_on_tensor_cores,
    &nbody_roots_per_interaction,
    &nbody_roots_of_busiest_device,
    &nbody_roots_of_all_devices,
    &nbody_bytes_between_devices,
    &nbody_kernels_beside_exchange,
    NULL,
};
