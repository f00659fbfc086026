#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "missing.h"
#include "source_line.h"

/* A word of the source, or one that begins so (*), or a header (<); the first that fits counts. */
static const struct {
    const char *word, *feature;
} features[] = {
    {"<cub/", "CUB"},
    {"<thrust/", "Thrust"},
    {"<cuda/", "libcu++"},
    {"<curand", "cuRAND"},
    {"<cublas", "cuBLAS"},
    {"<cufft", "cuFFT"},
    {"<cusparse", "cuSPARSE"},
    {"<nccl", "NCCL"},
    {"<mma.h", "wmma, the tensor cores of nvcuda"},
    {"<cuda_bf16", "bfloat16"},
    {"<cuda_fp8", "fp8"},
    {"<cuda.h", "driver API"},
    {"<cooperative_groups/", "such part of cooperative groups"},
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"nvcuda", "wmma, the tensor cores of nvcuda"},
    {"asm", "inline PTX"},
    {"__asm*", "inline PTX"},
    {"tex1D*", "textures"},
    {"tex2D*", "textures"},
    {"tex3D*", "textures"},
    {"texture", "textures"},
    {"cudaTex*", "textures"},
    {"cudaCreateTex*", "textures"},
    {"cudaDestroyTex*", "textures"},
    {"cudaBindTex*", "textures"},
    {"cudaCreateChannelDesc", "textures"},
    {"cudaChannelFormat*", "textures"},
    {"cudaResource*", "textures"},
    {"cudaArray*", "arrays of textures"},
    {"cudaMallocArray", "arrays of textures"},
    {"cudaMemcpyToArray*", "arrays of textures"},
    {"surf1D*", "surfaces"},
    {"surf2D*", "surfaces"},
    {"surf3D*", "surfaces"},
    {"cudaSurf*", "surfaces"},
    {"cudaCreateSurf*", "surfaces"},
    {"this_cluster", "clusters"},
    {"cluster_group", "clusters"},
    {"__cluster_dims__", "clusters"},
    {"cudaLaunchCooperativeKernelMulti*", "cooperative launches on several devices"},
    {"cudaLaunchKernelEx*", "launches with attributes"},
    {"cudaLaunchConfig*", "launches with attributes"},
    {"cudaLaunchAttr*", "launches with attributes"},
    {"cudaMemPool*", "memory pools"},
    {"cudaMallocFromPool*", "memory pools"},
    {"cudaDeviceGetDefaultMemPool", "memory pools"},
    {"cudaDeviceSetMemPool", "memory pools"},
    {"cudaMemAdvise*", "advice on managed memory"},
    {"cudaMemLocation*", "advice on managed memory"},
    {"cudaMemRange*", "advice on managed memory"},
    {"cudaStreamAttachMem*", "managed memory of one stream"},
    {"cudaMallocPitch", "pitched memory"},
    {"cudaMalloc3D*", "pitched memory"},
    {"cudaMemcpy2D*", "copies of rectangles"},
    {"cudaMemcpy3D*", "copies of rectangles"},
    {"cudaMemset2D*", "copies of rectangles"},
    {"cudaMemset3D*", "copies of rectangles"},
    {"cudaStreamAddCallback", "callbacks (cudaLaunchHostFunc it has)"},
    {"cudaStream*Priority*", "priorities of streams"},
    {"cudaGraph*", "graphs but those captured of kernels and cudaMemsetAsync"},
    {"cudaStream*Captur*", "graphs but those captured of kernels and cudaMemsetAsync"},
    {"cudaIpc*", "memory of several processes"},
    {"cudaDeviceSetLimit", "limits of the device"},
    {"cudaDeviceGetLimit", "limits of the device"},
    {"cudaDeviceSetCacheConfig", "settings of caches"},
    {"cudaFuncSetCacheConfig", "settings of caches"},
    {"__ldc*", "loads with a hint for the cache"},
    {"__stc*", "stores with a hint for the cache"},
    {"__nv_bfloat16*", "bfloat16"},
    {"cuInit", "driver API"},
    {"cuLaunch*", "driver API"},
    {"cuMem*", "driver API"},
    {"cuModule*", "driver API"},
    {"cuda", "libcu++"}, /* cuda::atomic and its kin */
};

/* Whether the word, of that length, fits a pattern whose stars stand for any letters. */
static int fits(const char *pattern, const char *word, size_t length) {
    while (*pattern && *pattern != '*') {
        if (!length || *pattern++ != *word++)
            return 0;
        length--;
    }
    if (!*pattern)
        return length == 0;
    if (!pattern[1])
        return 1;
    for (; length; word++, length--)
        if (fits(pattern + 1, word, length))
            return 1;
    return 0;
}

static const char *feature_of(const char *word, size_t length) {
    size_t i, k;

    for (i = 0; i < sizeof features / sizeof *features; i++) {
        k = strlen(features[i].word);
        if (*word == '<' ? length >= k && !strncmp(features[i].word, word, k)
                         : fits(features[i].word, word, length))
            return features[i].feature;
    }
    return NULL;
}

/* The next word of a line, or the header that it includes; behind comments and strings. Returns its
 * length, 0 at the end. */
static size_t next_word(const char **line) {
    const char *at = *line;
    size_t length;
    char quote;

    while (*at && !isalpha((unsigned char)*at) && *at != '_') {
        if (!strncmp(at, "//", 2))
            return 0;
        if (*at == '"' || *at == '\'') {
            for (quote = *at++; *at && *at != quote; at++)
                at += *at == '\\' && at[1];
            at += *at != 0;
        } else if (isdigit((unsigned char)*at)) {
            at += strspn(at, "0123456789abcdefABCDEFxX.ul");
        } else {
            at++;
        }
    }
    for (length = 0; isalnum((unsigned char)at[length]) || at[length] == '_';)
        length++;
    if (length == 7 && !strncmp(at, "include", 7) && strchr(at, '<')) {
        at = strchr(at, '<');
        length = strcspn(at, ">");
    }
    *line = at;
    return length;
}

static int look_at_line(const char *line, const char *shown, int number, char *message,
                        size_t size) {
    size_t length;

    for (; (length = next_word(&line)); line += length) {
        const char *feature = feature_of(line, length);

        if (!feature)
            continue;
        snprintf(message, size, "%s:%d: `%.*s%s`: cpucuda has no %s", shown, number, (int)length,
                 line, *line == '<' ? ">" : "", feature);
        return 1;
    }
    return 0;
}

int missing_feature(FILE *log, const char *source, const char *shown, char *message, size_t size) {
    char said[2048], line[1024];
    struct source_place place;
    size_t length = strlen(shown);

    snprintf(place.path, sizeof place.path, "%s", source);
    while (fgets(said, sizeof said, log)) {
        if (strncmp(said, shown, length) || said[length] != ':' ||
            !(strstr(said, "error") || strstr(said, "Error")))
            continue;
        place.line = atoi(said + length + 1);
        source_text(&place, line, sizeof line);
        if (look_at_line(line, shown, place.line, message, size))
            return 1;
    }
    return 0;
}

/* Whether a compiler or assembler says that of a line, or the linker of a name: what it says of a
 * library that it does not find is not the source's matter. */
static int is_about_source(const char *said) {
    static const char *const words[] = {": error: ", ": fatal error: ", ": Error: "};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(said, words[i]);

        if (at && at > said && isdigit((unsigned char)at[-1])) /* behind the line's number */
            return 1;
    }
    return strstr(said, "undefined reference") != NULL;
}

int missing_line(FILE *log, char *message, size_t size) {
    char said[2048];

    while (fgets(said, sizeof said, log))
        if (is_about_source(said)) {
            snprintf(message, size, "cpucuda lacks something that this uses: %.*s",
                     (int)strcspn(said, "\n"), said);
            return 1;
        }
    return 0;
}
