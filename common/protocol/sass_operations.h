/* Operations of machine code (SASS) that cpucuda executes and that estimates know. Encodings are
 * those of compute capability 7.5 to 9.0. They are not published by NVIDIA; they were found by
 * others (Jia et al. 2018; the assemblers TuringAs and CuAssembler; Mesa's compiler NAK). Pipes:
 * NVIDIA Nsight Compute, "Pipelines", and the CUDA C++ Programming Guide, "Arithmetic
 * Instructions". */
#ifndef SASS_OPERATIONS_H
#define SASS_OPERATIONS_H

/* X(name, the lowest nine bits of the word, the pipe that executes it). Operations on one value for
 * a warp, U..., are those on lanes + 0x80, except for counts of bits. */
#define SASS_COMPUTES(X)                                                                           \
    X(MOV, 0x002, ALU)                                                                             \
    X(P2R, 0x003, ALU)                                                                             \
    X(R2P, 0x004, ALU)                                                                             \
    X(CS2R, 0x005, ALU)                                                                            \
    X(VOTE, 0x006, ALU)                                                                            \
    X(SEL, 0x007, ALU)                                                                             \
    X(FSEL, 0x008, ALU)                                                                            \
    X(FMNMX, 0x009, ALU)                                                                           \
    X(FSETP, 0x00b, ALU)                                                                           \
    X(ISETP, 0x00c, ALU)                                                                           \
    X(IADD3, 0x010, ALU)                                                                           \
    X(LEA, 0x011, ALU)                                                                             \
    X(LOP3, 0x012, ALU)                                                                            \
    X(IABS, 0x013, ALU)                                                                            \
    X(PRMT, 0x016, ALU)                                                                            \
    X(IMNMX, 0x017, ALU)                                                                           \
    X(SHF, 0x019, ALU)                                                                             \
    X(PLOP3, 0x01c, ALU)                                                                           \
    X(FMUL, 0x020, FMA)                                                                            \
    X(FADD, 0x021, FMA)                                                                            \
    X(FFMA, 0x023, FMA)                                                                            \
    X(IMAD, 0x024, HEAVY)                                                                          \
    X(IMAD_WIDE, 0x025, HEAVY)                                                                     \
    X(IMAD_HI, 0x027, HEAVY)                                                                       \
    X(DMUL, 0x028, DOUBLE)                                                                         \
    X(DADD, 0x029, DOUBLE)                                                                         \
    X(DSETP, 0x02a, DOUBLE)                                                                        \
    X(DFMA, 0x02b, DOUBLE)                                                                         \
    X(HADD2, 0x030, HALF)                                                                          \
    X(HFMA2, 0x031, HALF)                                                                          \
    X(HMUL2, 0x032, HALF)                                                                          \
    X(HSET2, 0x033, HALF)                                                                          \
    X(HSETP2, 0x034, HALF)                                                                         \
    X(HFMA2_MMA, 0x035, HALF)                                                                      \
    X(VIADD, 0x036, ALU)                                                                           \
    X(MOVM, 0x03a, LSU)                                                                            \
    X(HMMA, 0x03c, TENSOR)                                                                         \
    X(F2FP, 0x03e, ALU)                                                                            \
    X(I2FP, 0x045, ALU)                                                                            \
    X(VIADDMNMX, 0x046, ALU)                                                                       \
    X(VIMNMX, 0x048, ALU)                                                                          \
    X(UMOV, 0x082, UNIFORM)                                                                        \
    X(VOTEU, 0x086, UNIFORM)                                                                       \
    X(USEL, 0x087, UNIFORM)                                                                        \
    X(UISETP, 0x08c, UNIFORM)                                                                      \
    X(UIADD3, 0x090, UNIFORM)                                                                      \
    X(ULEA, 0x091, UNIFORM)                                                                        \
    X(ULOP3, 0x092, UNIFORM)                                                                       \
    X(UPRMT, 0x096, UNIFORM)                                                                       \
    X(USHF, 0x099, UNIFORM)                                                                        \
    X(UPLOP3, 0x09c, UNIFORM)                                                                      \
    X(UIMAD, 0x0a4, UNIFORM)                                                                       \
    X(UIMAD_WIDE, 0x0a5, UNIFORM)                                                                  \
    X(ULDC, 0x0b9, UNIFORM)                                                                        \
    X(UFLO, 0x0bd, UNIFORM)                                                                        \
    X(UBREV, 0x0be, UNIFORM)                                                                       \
    X(UPOPC, 0x0bf, UNIFORM)                                                                       \
    X(R2UR_SAME, 0x0ca, ALU)                                                                       \
    X(FLO, 0x100, XU)                                                                              \
    X(BREV, 0x101, XU)                                                                             \
    X(FCHK, 0x102, XU)                                                                             \
    X(F2F, 0x104, XU)                                                                              \
    X(F2I, 0x105, XU)                                                                              \
    X(I2F, 0x106, XU)                                                                              \
    X(FRND, 0x107, XU)                                                                             \
    X(MUFU, 0x108, XU)                                                                             \
    X(POPC, 0x109, XU)                                                                             \
    X(F2F_WIDE, 0x110, XU)                                                                         \
    X(F2I_WIDE, 0x111, XU)                                                                         \
    X(I2F_WIDE, 0x112, XU)                                                                         \
    X(FRND_WIDE, 0x113, XU)                                                                        \
    X(NOP, 0x118, CONTROL)                                                                         \
    X(S2R, 0x119, LSU)                                                                             \
    X(DEPBAR, 0x11a, CONTROL)                                                                      \
    X(B2R, 0x11c, CONTROL)                                                                         \
    X(BAR, 0x11d, CONTROL)                                                                         \
    X(BSYNC, 0x141, CONTROL)                                                                       \
    X(BREAK, 0x142, CONTROL)                                                                       \
    X(CALL, 0x144, CONTROL)                                                                        \
    X(BSSY, 0x145, CONTROL)                                                                        \
    X(YIELD, 0x146, CONTROL)                                                                       \
    X(BRA, 0x147, CONTROL)                                                                         \
    X(WARPSYNC, 0x148, CONTROL)                                                                    \
    X(EXIT, 0x14d, CONTROL)                                                                        \
    X(RET, 0x150, CONTROL)                                                                         \
    X(BMOV_FROM, 0x155, CONTROL)                                                                   \
    X(BMOV_TO, 0x156, CONTROL)                                                                     \
    X(NANOSLEEP, 0x15d, CONTROL)                                                                   \
    X(SHFL, 0x189, LSU)                                                                            \
    X(CCTL, 0x18f, CONTROL)                                                                        \
    X(MEMBAR, 0x192, CONTROL)                                                                      \
    X(MATCH, 0x1a1, MATCH)                                                                         \
    X(ERRBAR, 0x1ab, CONTROL)                                                                      \
    X(LDGDEPBAR, 0x1af, CONTROL)                                                                   \
    X(R2UR, 0x1c2, ALU)                                                                            \
    X(S2UR, 0x1c3, LSU)                                                                            \
    X(REDUX, 0x1c4, LSU)

/* X(name, bits, the memory that it touches, and how); the pipe is LSU. */
#define SASS_ACCESSES(X)                                                                           \
    X(LDG, 0x181, GLOBAL, LOADS)                                                                   \
    X(LDC, 0x182, CONSTANT, LOADS)                                                                 \
    X(LDL, 0x183, LOCAL, LOADS)                                                                    \
    X(LDS, 0x184, SHARED, LOADS)                                                                   \
    X(STG, 0x186, GLOBAL, STORES)                                                                  \
    X(STL, 0x187, LOCAL, STORES)                                                                   \
    X(STS, 0x188, SHARED, STORES)                                                                  \
    X(ATOMS, 0x18c, SHARED, ATOMIC)                                                                \
    X(ATOMS_CAS, 0x18d, SHARED, ATOMIC)                                                            \
    X(RED, 0x18e, GLOBAL, ATOMIC)                                                                  \
    X(ATOMG_FLOAT, 0x1a3, GLOBAL, ATOMIC)                                                          \
    X(RED_FLOAT, 0x1a6, GLOBAL, ATOMIC)                                                            \
    X(ATOMG, 0x1a8, GLOBAL, ATOMIC)                                                                \
    X(ATOMG_CAS, 0x1a9, GLOBAL, ATOMIC)                                                            \
    X(LDGSTS, 0x1ae, GLOBAL, LOADS) /* to shared memory, not to a register */

enum sass_pipe {
    PIPE_FMA,     /* floats, on both halves of the pipe */
    PIPE_HEAVY,   /* its half that also multiplies integers */
    PIPE_ALU,     /* integers, logic, comparisons */
    PIPE_HALF,    /* pairs of halves */
    PIPE_DOUBLE,  /* doubles */
    PIPE_XU,      /* roots, reciprocals, conversions, counts of bits */
    PIPE_LSU,     /* memory, shuffles, special registers */
    PIPE_UNIFORM, /* one value for the warp */
    PIPE_TENSOR,
    PIPE_MATCH,   /* comparison of lanes with each other */
    PIPE_CONTROL, /* branches, barriers, the rest */
    PIPES
};
enum sass_memory { MEMORY_NONE, MEMORY_GLOBAL, MEMORY_SHARED, MEMORY_LOCAL, MEMORY_CONSTANT };
enum sass_access { ACCESS_NONE, ACCESS_LOADS, ACCESS_STORES, ACCESS_ATOMIC };

enum sass_operation {
#define SASS_COMPUTE(name, bits, pipe)          SASS_##name = bits,
#define SASS_ACCESS(name, bits, memory, access) SASS_##name = bits,
    SASS_COMPUTES(SASS_COMPUTE) SASS_ACCESSES(SASS_ACCESS)
#undef SASS_COMPUTE
#undef SASS_ACCESS
};

#endif
