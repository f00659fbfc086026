/* The parameters of a GPU: gpus/NAME, lines `name = value  # where it comes from`; with `like =
 * NAME` those of another GPU stand for what is not listed. */
#ifndef GPU_MODEL_H
#define GPU_MODEL_H

#define GPU_PARAMETERS(P)                                                                          \
    P(multiprocessors)                                                                             \
    P(clock_mhz)                                                                                   \
    P(schedulers)                                                                                  \
    P(fma_cycles) /* that an instruction of a warp keeps its pipe of a scheduler busy */           \
    P(heavy_cycles)                                                                                \
    P(alu_cycles)                                                                                  \
    P(half_cycles)                                                                                 \
    P(double_cycles)                                                                               \
    P(xu_cycles)                                                                                   \
    P(lsu_cycles)                                                                                  \
    P(uniform_cycles)                                                                              \
    P(tensor_cycles)                                                                               \
    P(match_cycles) /* per value that a comparison of lanes with each other tells apart */         \
    P(xu_latency)                                                                                  \
    P(shared_latency)                                                                              \
    P(l1_latency)                                                                                  \
    P(l2_latency)                                                                                  \
    P(contended_latency) /* of a load of what all blocks change by atomic operations */            \
    P(atomic_latency)                                                                              \
    P(dram_latency)                                                                                \
    P(constant_latency)                                                                            \
    P(special_latency)                                                                             \
    P(tensor_latency)                                                                              \
    P(branch_latency)                                                                              \
    P(barrier_latency)                                                                             \
    P(l1_sectors)     /* per cycle and multiprocessor */                                           \
    P(l2_sectors)     /* per cycle, of the whole GPU */                                            \
    P(loaded_sectors) /* per cycle, from L2 to a multiprocessor */                                 \
    P(stored_sectors) /* and from it to L2 */                                                      \
    P(l2_bytes)                                                                                    \
    P(dram_gbps)       /* of what is read */                                                       \
    P(written_gbps)    /* of what is written */                                                    \
    P(atomics)         /* per cycle, of the whole GPU */                                           \
    P(dispatch_cycles) /* between the starts of two blocks, on the whole GPU */                    \
    P(block_cycles)    /* from a block's end to the first instruction of the one in its place */   \
    P(launch_us)       /* of the host, for one of many launches in a row */                        \
    P(fill_us)         /* of the host, for a fill between them */                                  \
    P(kernel_us) /* from a kernel's begin to its first instruction, and from its last to its end   \
                  */                                                                               \
    P(copy_pageable_us)                                                                            \
    P(copy_pageable_gbps)                                                                          \
    P(copy_pinned_us)                                                                              \
    P(copy_pinned_gbps)                                                                            \
    P(host_gbps)  /* of what the host does between two copies */                                   \
    P(input_gbps) /* of what it does once, with pages that nobody has touched before */

struct gpu_model {
    char name[32], title[64], architecture[8];
    int validated;
#define MEMBER(name) double name;
    GPU_PARAMETERS(MEMBER)
#undef MEMBER
};

/* Returns 0; 1: there is no such GPU; 2: its file has a mistake, said in `message`. */
int gpu_model_read(struct gpu_model *gpu, const char *name, char message[256]);

#endif
