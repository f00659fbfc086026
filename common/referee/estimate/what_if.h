/* What would change the time of a kernel most. */
#ifndef WHAT_IF_H
#define WHAT_IF_H

#include "model.h"

/* A change of the kernel or of the GPU, and how much of the kernel's time it leaves. */
struct what_if {
    const char *change;
    double left; /* 1: all */
};

enum { CHANGES = 6 };

/* Tries each change alone; the one that leaves least comes first. A copy of the kernel is played
 * that is shorter (LITTLE_ROOM), so `left` is of the same model, but coarser. */
void what_if(const struct kernel *kernel, const struct gpu_model *gpu,
             struct what_if found[CHANGES]);

#endif
