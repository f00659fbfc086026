/* Step 42: forces from an octree. Neighbours feel nearly the same nodes, so a warp walks the tree
 * once for a group of bodies: it takes 32 nodes at a time, and each is accepted or opened. What is
 * accepted goes into a short list in shared memory; a full list is added to all bodies of the
 * group. */
#include "walker.h"

enum { GROUP = PER_LANE * WARP, LIST = 2 * WARP };

/* A group is cut in halves if more opened leaves than this have their centres in its box. */
enum { MOST_INSIDE = CUT ? 2 * GROUP : 1 << 30 };

/* GROUP bodies, PER_LANE in each lane. Bodies begin ... begin + size - 1 of these walk; the forces
 * on the others are not used. */
struct group {
    float4 own[PER_LANE];
    float3 a[PER_LANE];
    float known[PER_LANE]; /* |a| of the last pass */
    float softening_squared;
    int lane, begin, size;
};

__device__ bool walks(const struct group *group, int p) {
    int k = p * WARP + group->lane;

    return k >= group->begin && k < group->begin + group->size;
}

/* The smallest box, with edges along the axes, that holds the bodies that walk: its centre, and
 * halves of its edges. */
struct box {
    float3 centre, half;
};

/* The squares of two distances for each node; a group accepts the node from the larger distance on.
 * The second square, by the accuracy, is still to be divided by the root of the group's least
 * acceleration. */
__global__ void measure(struct errand errand) {
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < *errand.nodes; i += gridDim.x * THREADS) {
        float4 centre = errand.centres[i];
        float b2 = errand.links[i].y == 1 ? 0 : reach_squared(centre, errand.cells[i]);

        /* part 1, 4 lines: The contract's two criteria, each solved for d^2. */
        if (errand.is_first)
            errand.sizes[i] = make_float2(0, b2 / (errand.angle * errand.angle));
        else
            errand.sizes[i] = make_float2(b2, sqrtf(centre.w * b2 / errand.accuracy));
        /* until solved:
        errand.sizes[i] = make_float2(INFINITY, INFINITY), (void)b2;
        */
        /* end of part 1 */
    }
}

__device__ float least(float value) {
    for (int half = WARP / 2; half; half /= 2)
        value = fminf(value, __shfl_xor_sync(ALL_LANES, value, half));
    return value;
}

__device__ struct box box_of(const struct group *group) {
    float3 low = make_float3(INFINITY, INFINITY, INFINITY), high = low; /* high: least -x */

    for (int p = 0; p < PER_LANE; p++) {
        float4 own = group->own[p];

        if (!walks(group, p))
            continue;
        low = make_float3(fminf(low.x, own.x), fminf(low.y, own.y), fminf(low.z, own.z));
        high = make_float3(fminf(high.x, -own.x), fminf(high.y, -own.y), fminf(high.z, -own.z));
    }
    low = make_float3(least(low.x), least(low.y), least(low.z));
    high = make_float3(-least(high.x), -least(high.y), -least(high.z));
    return {make_float3((low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2),
            make_float3((high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2)};
}

/* The square of the distance of a place from the box; 0 inside. */
__device__ float distance_squared(const struct box *box, float4 at) {
    float d2 = 0;

    /* part 2, 4 lines: Along each axis, how far the place is from the nearer face. */
    float x = fmaxf(0, fabsf(at.x - box->centre.x) - box->half.x);
    float y = fmaxf(0, fabsf(at.y - box->centre.y) - box->half.y);
    float z = fmaxf(0, fabsf(at.z - box->centre.z) - box->half.z);
    d2 = x * x + y * y + z * z;
    /* until solved:
    (void)box, (void)at;
    */
    /* end of part 2 */
    return d2;
}

/* Adds what the first `count` of the list do to all bodies of the group. */
__device__ void add_list(struct group *group, const float4 *list, int count) {
#pragma unroll 8
    for (int k = 0; k < count; k++) {
        float4 part = list[k];

        for (int p = 0; p < PER_LANE; p++) {
            float x = part.x - group->own[p].x, y = part.y - group->own[p].y;
            float z = part.z - group->own[p].z;

            /* part 3, 5 lines: The acceleration by a point of mass part.w. */
            float inverse = rsqrtf(group->softening_squared + x * x + y * y + z * z);
            float scale = part.w * inverse * inverse * inverse;
            group->a[p].x += scale * x;
            group->a[p].y += scale * y;
            group->a[p].z += scale * z;
            /* until solved:
            (void)x, (void)y, (void)z;
            */
            /* end of part 3 */
        }
    }
}

/* Appends the parts of those lanes that have one to a list with `count`, fewer than WARP; returns
 * how many are in it then, again fewer than WARP. All lanes of the warp come here. */
__device__ int append(struct group *group, float4 *list, int count, bool has, float4 part) {
    unsigned all = __ballot_sync(ALL_LANES, has);

    /* part 4, 14 lines: Append the lanes' parts to the list; flush it when it holds WARP. */
    if (has)
        list[count + __popc(all & ((1u << group->lane) - 1))] = part;
    count += __popc(all);
    __syncwarp();
    if (count >= WARP) {
        add_list(group, list, WARP);
        count -= WARP;
        if (group->lane < count)
            part = list[WARP + group->lane];
        __syncwarp();
        if (group->lane < count)
            list[group->lane] = part;
        __syncwarp();
    }
    /* until solved:
    (void)group, (void)list, (void)part, (void)all;
    */
    /* end of part 4 */
    return count;
}

/* The sum of `own` over all lanes before this one; *all becomes the sum over all lanes. */
__device__ int before(int own, int lane, int *all) {
    int sum = own;

    for (int step = 1; step < WARP; step *= 2) {
        int other = __shfl_up_sync(ALL_LANES, sum, step);

        sum += lane >= step ? other : 0;
    }
    *all = __shfl_sync(ALL_LANES, sum, WARP - 1);
    return sum - own;
}

/* The whole tree for the bodies that walk; `counts` becomes what this lane has accepted. `waiting`
 * has room for MOST_WAITING nodes, `list` for LIST parts. Returns false, with the walk unfinished,
 * if the box has too much inside: it is better walked in halves. */
__device__ bool walk_tree(const struct errand *errand, struct group *group, int *waiting,
                          float4 *list, struct counts *counts) {
    struct box box = box_of(group);
    float weakest = INFINITY, scale = 1; /* `scale`: second sizes are still to be divided by it */
    int lane = group->lane, wait = 1, count = 0, inside = 0, all;

    *counts = {};
    for (int p = 0; p < PER_LANE; p++) {
        group->a[p] = make_float3(0, 0, 0);
        if (walks(group, p))
            weakest = fminf(weakest, group->known[p]);
    }
    if (!errand->is_first)
        scale = sqrtf(least(weakest));

    if (lane == 0)
        waiting[0] = 0; /* the root */
    __syncwarp();
    while (wait > 0) {
        int take = min(wait, WARP);
        int4 links = make_int4(0, 0, 0, 0);
        float4 part = make_float4(0, 0, 0, 0);
        float d2 = 1;
        bool accepted = false;

        wait -= take;
        if (lane < take) {
            int node = waiting[wait + lane];

            links = errand->links[node];
            part = errand->centres[node];
            float2 sizes = errand->sizes[node];

            d2 = distance_squared(&box, part);
            accepted = d2 >= sizes.x && d2 * scale >= sizes.y;
        }
        __syncwarp(); /* all have read what now is overwritten */
        int children = accepted ? 0 : links.w, bodies = accepted || children ? 0 : links.y;
        int place = wait + before(children, lane, &all);

        /* part 5, 3 lines: Append the children to the waiting nodes, in the order of lanes. */
        for (int k = 0; k < children; k++)
            waiting[place + k] = links.z + k;
        wait += all;
        /* until solved:
        (void)place;
        */
        /* end of part 5 */
        inside += __popc(__ballot_sync(ALL_LANES, bodies && d2 == 0));
        if (inside > MOST_INSIDE && group->size > 1) {
            __syncwarp();
            return false;
        }
        counts->nodes += accepted;
        counts->bodies += bodies;
        counts->felt += accepted ? links.y : bodies;
        count = append(group, list, count, accepted, part);
        place = before(bodies, lane, &all);
        for (int begin = 0; begin < all; begin += WARP) {
            int own = begin + lane, owner = 0;

            /* part 6, 5 lines: The owner is the last lane whose bodies begin at or before `own`. */
            for (int step = WARP / 2; step; step /= 2)
                owner += __shfl_sync(ALL_LANES, place, owner + step) <= own ? step : 0;
            int shift = __shfl_sync(ALL_LANES, links.x - place, owner);
            if (own < all)
                part = errand->bodies[shift + own];
            /* until solved:
            (void)place, (void)owner;
            */
            /* end of part 6 */
            count = append(group, list, count, own < all, part);
        }
        __syncwarp();
    }
    add_list(group, list, count);
    return true;
}

__global__ void __launch_bounds__(THREADS, WALK_BLOCKS) walk_groups(struct errand errand) {
    __shared__ float4 lists[THREADS / WARP][LIST];
    int warp = threadIdx.x / WARP, number = blockIdx.x * (THREADS / WARP) + warp;
    int *waiting = errand.waiting + (size_t)number * MOST_WAITING;
    struct group group = {};

    group.softening_squared = errand.softening_squared;
    group.lane = threadIdx.x % WARP;
    for (;;) {
        int first = next_group(&errand, GROUP);

        if (first >= errand.n)
            return;
        for (int p = 0; p < PER_LANE; p++) {
            int i = min(first + p * WARP + group.lane, errand.n - 1);

            group.own[p] = errand.bodies[i];
            group.known[p] = errand.is_first ? 0 : errand.known[errand.order[i]];
        }
        group.size = GROUP;
        for (group.begin = 0; group.begin < min(GROUP, errand.n - first);) {
            struct counts counts;

            if (!walk_tree(&errand, &group, waiting, lists[warp], &counts)) {
                group.size /= 2;
                continue;
            }
            counts = sum_counts(counts);
            for (int p = 0; p < PER_LANE; p++)
                if (walks(&group, p) && first + p * WARP + group.lane < errand.n)
                    put(&errand, first + p * WARP + group.lane, group.a[p], counts);
            group.begin += group.size;
            group.size = group.begin & -group.begin; /* the largest that halving gives here */
        }
    }
}

static void walk_all(const struct walk *walk) {
    measure<<<walk->blocks, THREADS>>>(walk->errand);
    walk_groups<<<walk->blocks, THREADS>>>(walk->errand);
}
