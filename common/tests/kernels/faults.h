/* The wrong kernels: each is one of the folder right/, spoiled in one place. For test_kernels.c. */
#ifndef FAULTS_H
#define FAULTS_H

/* The first line that holds `line` becomes `text`, with or without further lines. */
struct edit {
    const char *line, *text;
};

struct fault {
    const char *name, *base; /* base: right/BASE.cu with host.cu behind it */
    struct edit edits[4];
    const char *outcome; /* the word of outcome.h that the check must end with */
    /* What the message must say. A place FILE:N stands there as the text of line N in brackets:
     * "[__syncthreads();]"; the spaces before it are left out. */
    const char *says[4];
};

#define KICK "[velocity->x += dt * force.x;]"

static const struct fault faults[] = {
    /* Barriers. */
    {"no_barrier_after_load",
     "tiled",
     {{"/* the tile is there */", ""}},
     "race",
     {"[tile[thread] = positions[thread];]", "[attract(&force, position, tile[j]"}},
    {"no_barrier_before_load",
     "tiled",
     {{"/* nobody needs it any more */", ""}},
     "race",
     {"[tile[thread] = positions[next];]", "[attract(&force, position, tile[j]"}},
    {"no_last_barrier",
     "tiled",
     {{"/* all have counted */", ""}},
     "race",
     {"[atomicAdd(&moved_here, 1);]", "[atomicAdd(&moved, moved_here);]"}},
    {"barrier_for_some",
     "tiled",
     {{"/* the tile is there */", "if (i < n)\n__syncthreads(); /* for some */"}},
     "barrier",
     {"[__syncthreads(); /* for some */]", "[__syncthreads(); /* nobody needs"}},
    {"barriers_in_if_and_else",
     "tiled",
     {{"/* the tile is there */",
       "if (thread % 2)\n__syncthreads(); /* odd */\nelse\n__syncthreads(); /* even */"}},
     "barrier",
     {"[__syncthreads(); /* odd */]", "[__syncthreads(); /* even */]"}},
    {"return_before_barrier",
     "tiled",
     {{"moved_here = 0;", "moved_here = 0;\nif (i >= n)\nreturn; /* too early */"}},
     "barrier",
     {"left the kernel by the return", "[return; /* too early */]",
      "[__syncthreads(); /* the tile is"}},
    {"barriers_not_as_often",
     "while_barrier",
     {{"if ((first += BLOCK) >= n)", "if ((first += BLOCK) >= n - (int)threadIdx.x)"}},
     "barrier",
     {"came to the kernel's end without", "[__syncthreads();]"}},

    /* The last tile, and memory that is too small. */
    {"read_behind_last_body",
     "tiled",
     {{"if (next < n)", "if (next - thread < n)"}},
     "memory",
     {"[tile[thread] = positions[next];]"}},
    {"write_behind_last_body", "tiled", {{"if (i < n) {", "{"}}, "memory", {KICK}},
    {"ghost_bodies",
     "tiled",
     {{"count = min(BLOCK, n - first)", "int next = first + BLOCK + thread, count = BLOCK;"},
      {"if (next < n)", ""},
      {"positions[next]", "tile[thread] = next < n ? positions[next] : make_float4(0, 0, 0, 0);"}},
     "wrong",
     {"zeros behind the last body attract as if they were bodies"}},
    {"static_array_too_small",
     "tiled",
     {{"float4 tile[BLOCK];", "__shared__ float4 tile[BLOCK / 2];"}},
     "memory",
     {"[tile[thread] = positions[thread];]"}},
    {"dynamic_array_too_small",
     "two_arrays",
     {{"sizeof(int)", "const size_t bytes = width * sizeof(float4);"}},
     "memory",
     {"[index[thread] = first + thread;]", "behind the 1", "of dynamic shared memory"}},
    {"used_after_free",
     "last_block",
     {{"CUDA_CHECK(cudaMalloc(&parts",
       "CUDA_CHECK(cudaMalloc(&parts, 3 * PARTS * sizeof *parts * parameters.n));\n"
       "CUDA_CHECK(cudaFree(parts)); /* too early */"},
      {"    CUDA_CHECK(cudaFree(parts));", ""}},
     "memory",
     {"[part[0] = force.x;]", "[CUDA_CHECK(cudaFree(parts)); /* too early */]"}},
    {"never_freed",
     "tiled",
     {{"CUDA_CHECK(cudaFree(simulation->positions));", ""}},
     "unfreed",
     {"[CUDA_CHECK(cudaMalloc(&simulation->positions, bytes));]"}},
    {"freed_twice",
     "tiled",
     {{"cudaFree(simulation->velocities)",
       "CUDA_CHECK(cudaFree(simulation->positions)); // twice"}},
     "memory",
     {"[CUDA_CHECK(cudaFree(simulation->positions)); // twice]"}},

    /* Lost updates. */
    {"update_lost_in_block",
     "tiled",
     {{"atomicAdd(&moved_here, 1);", "moved_here++;"}},
     "race",
     {"[moved_here++;]"}},
    {"update_lost_between_blocks", /* of more threads than ThreadSanitizer knows at a time */
     "tiled",
     {{"#define BLOCK 128", "#define BLOCK 256"},
      {"atomicAdd(&moved, moved_here);", "moved += moved_here;"}},
     "race",
     {"[moved += moved_here;]"}},
    {"moved_before_all_forces",
     "tiled",
     {{"kick(&velocities[i]", "kick(&velocities[i], force, parameters.dt);\n"
                              "((float4 *)positions)[i].x += velocities[i].x; /* too early */"}},
     "race",
     {"((float4 *)positions)[i].x += velocities[i].x; /* too early */]"}},

    /* Warps. */
    {"no_syncwarp",
     "warp_memory",
     {{"/* all lanes have written */", ""}},
     "race",
     {"[*sum = *sum + sum[half];]"}},
    {"mask_without_caller",
     "shuffles",
     {{"#define ALL", "#define ALL 0xffffu"}},
     "warp-mask",
     {"0x0000ffff", "[force.x += __shfl_down_sync(ALL, force.x, half);]"}},
    {"lanes_left_too_early",
     "votes",
     {{"float3 force = {0, 0, 0};", "float3 force = {0, 0, 0};\nif (i >= n)\nreturn; /* gone */"}},
     "wrong",
     {"only the last n mod 32 = 8 bodies are off"}},
    {"masks_that_differ",
     "shuffles",
     {{"force.y += __shfl_down_sync",
       "force.y += __shfl_down_sync(lane < 16 ? ALL : ~1u, force.y, half); /* differ */"}},
     "warp-mask",
     {"need the same call and the same mask",
      "[force.y += __shfl_down_sync(lane < 16 ? ALL : ~1u, force.y, half); /* differ */]"}},

    /* Memory that nobody wrote. */
    {"shared_memory_uninitialised",
     "tiled",
     {{"if (thread == 0)", "if (thread < 0)"}},
     "uninitialised",
     {"[atomicAdd(&moved_here, 1);]", "moved_here"}},
    {"device_memory_uninitialised",
     "atomic_sums",
     {{"CUDA_CHECK(cudaMemset(sums, 0, bytes));", ""}},
     "not-finite",
     {"NaN", "Is every sum set to 0"}},
    {"output_not_all_written",
     "tiled",
     {{"const float4 position = host[i]", "const float4 position = host[i], velocity = host[n + i];"
                                          "\nif (i == n - 1)\nbreak;"}},
     "unwritten",
     {"never written"}},

    /* Host and device. */
    {"host_memory_to_kernel",
     "tiled",
     {{"if (update_velocities(simulation->positions", "if (update_velocities(host, "
                                                      "simulation->velocities, parameters))"}},
     "host-pointer",
     {"memory of the host", "[position = positions[i];]"}},
    {"input_to_kernel",
     "early_return",
     {{"if (update_velocities(simulation->positions",
       "if (update_velocities((const float4 *)in, simulation->velocities, parameters))"}},
     "host-pointer",
     {"`in` or `out`", "[float dx = other.x"}}, /* attract(), taken into the kernel */
    {"device_memory_on_host",
     "tiled",
     {{"const float4 position = host[i]",
       "const float4 position = simulation->positions[i], velocity = host[n + i];"}},
     "device-pointer",
     {"host code at [", "read device memory", /* of the loop, the line that the optimiser chose */
      "[CUDA_CHECK(cudaMalloc(&simulation->positions, bytes));]"}},
    {"copy_too_large",
     "tiled",
     {{"cudaMemcpy(simulation->positions, host",
       "CUDA_CHECK(cudaMemcpy(simulation->positions, host, 2 * bytes, cudaMemcpyHostToDevice));"}},
     "copy",
     {"bytes", "2 * bytes, cudaMemcpyHostToDevice));]"}},
    {"copy_too_small",
     "tiled",
     {{"cudaMemcpy(host, simulation->positions",
       "CUDA_CHECK(cudaMemcpy(host, simulation->positions, n, cudaMemcpyDeviceToHost));"}},
     "wrong",
     {"every body from 62 on is off: does a loop or a copy stop there"}},
    {"copy_the_wrong_way",
     "tiled",
     {{"cudaMemcpy(simulation->positions, host",
       "CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, cudaMemcpyDeviceToHost));"}},
     "copy",
     {"direction", "[CUDA_CHECK(cudaMemcpy(simulation->positions, host, bytes, "
                   "cudaMemcpyDeviceToHost));]"}},

    /* Launches. */
    {"too_many_threads",
     "early_return",
     {{"accelerate<<<", "accelerate<<<1, 2048>>>(positions, velocities, parameters);"}},
     "launch",
     {"2048", "[accelerate<<<1, 2048>>>(positions, velocities, parameters);]"}},
    {"too_many_threads_unchecked",
     "early_return",
     {{"accelerate<<<", "accelerate<<<1, 2048>>>(positions, velocities, parameters);"},
      {"CUDA_CHECK(cudaGetLastError());", ""},
      {"CUDA_CHECK(cudaGetLastError());", ""}},
     "leaked-error",
     {"[accelerate<<<1, 2048>>>(positions, velocities, parameters);]"}},

    /* Order. */
    {"stream_not_waited_for",
     "streams_and_events",
     {{"/* for the second half */", ""}},
     "order",
     {"[accelerate<<<", "[update_positions<<<"}},
    {"copy_not_waited_for",
     "streams_and_events",
     {{"/* for the positions */", ""}},
     "order",
     {"[CUDA_CHECK(cudaMemcpyAsync(positions, host,", "[accelerate<<<"}},
    {"pinned_memory_read_too_early",
     "streams_and_events",
     {{"CUDA_CHECK(cudaStreamSynchronize(streams[0]));", ""}},
     "order",
     {"[CUDA_CHECK(cudaMemcpyAsync(host, positions,", "host code at ["}},
    {"output_not_waited_for",
     "registered_memory",
     {{"/* `out` is there */", ""}},
     "order",
     {"run function returned while", "[CUDA_CHECK(cudaMemcpyAsync("}},
};

enum { FAULTS = sizeof faults / sizeof *faults };

#endif
