/* Instructions of machine code, executed one by one: words that nvcc 13.0 made, for three
 * architectures, with results by hand. */
#include "testing.h"
#include "command.h"

#define BUILD                                                                                      \
    "${CXX:-g++} -std=gnu++17 -O1 -Icommon -Icommon/include -Icommon/cpucuda/include "             \
    "-Icommon/cpucuda/engine common/tests/sass/instructions.cpp "                                  \
    "$(ls common/cpucuda/engine/*.cpp | grep -v /trace | sed 's,^,build/,; s/cpp$/o/') "           \
    "-o build/instructions -pthread -ldl"

static int build(void **state) {
    if (enter_tree(state))
        return -1;
    return system(BUILD);
}

GROUP(build, leave_tree)

static struct result execute(const char *script) {
    write_file("script", script);
    return run("build/instructions <script");
}

static void shows(const char *script, const char *line) {
    struct result result = execute(script);

    assert_code(result, 0);
    assert_says(result.out, line);
}

/* 1 for lanes 0 to 3, and so on: the beginning of a line is enough to tell what a lane did. */
TEST(viaddmnmx_negates_its_second_operand) {
    /* VIADDMNMX R9, R0, -R9, RZ, !PT: max(R0 - R9, 0). Without the sign step 24 stores nothing. */
    shows("sm 90\nr 0 5\nr 9 3 1\ni 8000000900097246 040fe200078001ff\nshow r 9\n",
          "r9 2 1 0 0 0 ");
    /* VIADDMNMX R4, R5, 0x700, R4, PT: min(R5 + R4, 0x700) */
    shows("sm 90\nr 5 1790\nr 4 0 1\ni 0000070005047446 000fc80003800104\nshow r 4\n",
          "r4 1790 1791 1792 1792 ");
}

TEST(least_and_most_of_integers) {
    /* sm_75: IMNMX R13, R4, 0x700, PT */
    shows("sm 75\nr 4 1790 1\ni 00000700040d7817 000fc80003800200\nshow r 13\n",
          "r13 1790 1791 1792 1792 ");
    /* sm_80: IMNMX R17, R0, UR9, PT, signed */
    shows("sm 80\nr 0 -1 1\nu 9 1\ni 0000000900117c17 000fe4000b800200\nshow r 17\n",
          "r17 -1 0 1 1 1 ");
}

TEST(sums_carry_into_the_next_register) {
    /* sm_90: IADD3 R16, P3, R9, UR17, RZ; IADD3.X R12, R11, R18, RZ, P3, !PT */
    shows("sm 90\nr 9 -2 1\nu 17 1\nr 11 5\nr 18 7\n"
          "i 0000001109107c10 000fe4000ff7e0ff\ni 000000120b0c7210 040fe40009ffe4ff\n"
          "show r 16\nshow p 3\n",
          "r16 -1 0 1 2 ");
    shows("sm 90\nr 9 -2 1\nu 17 1\nr 11 5\nr 18 7\n"
          "i 0000001109107c10 000fe4000ff7e0ff\ni 000000120b0c7210 040fe40009ffe4ff\n"
          "show r 12\n",
          "r12 12 13 12 12 ");
}

TEST(wide_products_take_a_pair) {
    /* IMAD.WIDE R4, R3, 0x4, R4: signed, with a carry into R5 */
    shows("sm 90\nr 3 -1 1\nr 4 3\nr 5 9\ni 0000000403047825 002fe200078e0204\nshow r 5\n",
          "r5 8 9 9 9 ");
    /* sm_75: IMAD.WIDE R4, R11, R4, c[0x0][0x180]: the pair of constants */
    shows("sm 75\nr 11 2 1\nr 4 3\nc 384 10\nc 388 4\ni 000060000b047625 040fe200078e0204\n"
          "show r 5\n",
          "r5 4 4 4 ");
}

TEST(upper_halves_of_products) {
    /* IMAD.HI R4, R7, -0x6db6db6d, R6: a division by 7, with its pair R6, R7 */
    shows("sm 90\nr 6 0\nr 7 70 7\ni 9249249307047827 000fca00078e0206\nshow r 4\n", "r4 40 44 ");
}

TEST(shifts_and_permuted_bytes) {
    /* SHF.R.S32.HI R11, RZ, 0x1f, R9: the sign */
    shows("sm 90\nr 9 -2 1\ni 0000001fff0b7819 000fe40000011409\nshow r 11\n", "r11 -1 -1 0 0 ");
    /* PRMT R4, R16, 0x9910, RZ: the lower half, with its sign */
    shows("sm 90\nr 4 65535 1\ni 0000991004047816 000fe200000000ff\nshow r 4\n", "r4 -1 0 1 2 ");
}

TEST(addresses_with_a_sign) {
    /* sm_80: LEA R8, P0, R6, c[0x0][0x188], 0x2; LEA.HI.X.SX32 has the upper half */
    shows("sm 80\nr 6 3 1\nc 392 100\ni 0000620006087a11 000fc800078010ff\nshow r 8\n",
          "r8 112 116 120 ");
    /* sm_90: LEA R10, R0, -R3, 0xa: block * 1024 - R3 */
    shows("sm 90\nr 0 1\nr 3 24 1\ni 80000003000a7211 004fe400078e50ff\nshow r 10\n",
          "r10 1000 999 998 ");
}

TEST(lanes_exchange_and_vote) {
    /* VOTE.ANY R10, PT, P0 */
    shows("sm 90\np 0 f0f\ni 00000000000a7806 000fe200000e0100\nshow r 10\n", "r10 3855 3855 ");
    /* SHFL.IDX PT, R15, R8, R11, 0x1f */
    shows("sm 90\nr 8 100 1\nr 11 5\ni 00001f0b080f7589 001e2800000e0000\nshow r 15\n",
          "r15 105 105 105 ");
    /* REDUX.SUM UR5, R9 */
    shows("sm 90\nr 9 0 1\ni 00000000090573c4 000e70000000c000\nshow u 5\n", "u5 1f0\n");
}

TEST(bits_are_found_and_turned) {
    /* BREV R11, R10; FLO.U32.SH R11, R11: the lowest bit's number */
    shows("sm 90\nr 10 8 8\ni 0000000a000b7301 000e220000000000\n"
          "i 0000000b000b7300 001e2400000e0400\nshow r 11\n",
          "r11 3 4 3 5 3 ");
}

TEST(uniform_operations_are_those_of_lanes) {
    /* UIADD3 UR14, -UR13, UR6, URZ; USHF.R.S32.HI UR16, URZ, 0x1f, UR13; ULOP3 UR4, ~UR8 */
    shows("sm 90\nu 13 5\nu 6 12\ni 000000060d0e7290 000fe4000fffe13f\nshow u 14\n", "u14 7\n");
    shows("sm 90\nu 13 -5\ni 0000001f3f107899 000fe4000801140d\nshow u 16\n", "u16 ffffffff\n");
    shows("sm 90\nu 8 15\ni 000000083f047292 000fe4000f8e333f\nshow u 4\n", "u4 fffffff0\n");
    /* UISETP.GT.AND UP0, UPT, UR8, 0x1, UPT; PLOP3.LUT P0 of it */
    shows("sm 90\nu 8 2\ni 000000010800788c 000fcc000bf04270\ni 000000000000781c "
          "000fc60003f0f008\nshow p 0\n",
          "p0 ffffffff\n");
    shows("sm 90\nu 8 1\ni 000000010800788c 000fcc000bf04270\ni 000000000000781c "
          "000fc60003f0f008\nshow p 0\n",
          "p0 00000000\n");
}

TEST(floats_become_integers) {
    /* F2I.FTZ.U32.TRUNC R7, R7; I2F.RP R2, R9 */
    shows("sm 90\nf 7 -0.5 0.75\ni 0000000700077305 000e22000021f000\nshow r 7\n", "r7 0 0 1 1 2 ");
    shows("sm 90\nr 9 16777217\ni 0000000900027306 000f700000209400\nshow r 2\n", "r2 1266679809 ");
    /* I2FP.F32.S32 R9, R0; I2FP.F32.U32 R11, R6: -2 and 2^32 - 2; and toward 0 */
    shows("sm 90\nr 0 -2\ni 0000000000097245 008fca0000201400\nshow r 9\n", "r9 -1073741824 ");
    shows("sm 90\nr 6 -2\ni 00000006000b7245 004fca0000201000\nshow r 11\n", "r11 1333788672 ");
    shows("sm 90\nr 0 16777219\ni 00000000000d7245 004fca000020d400\nshow r 13\n",
          "r13 1266679809 ");
}

/* 1.5 is 0x3e00, -1 is 0xbc00, 2 is 0x4000, NaN is 0x7e00. */
TEST(halves_are_compared) {
    /* HSETP2.GE P0, R2.H0_H0, 1.5: not the upper half; HSETP2.GEU P0, R7.H0_H0, -R0.H0_H0 */
    shows("sm 90\nr 2 1073757696\ni 3e003e0002007434 004fd00003f06800\nshow p 0\n",
          "p0 ffffffff\n");
    shows("sm 90\nr 2 1073790976\ni 3e003e0002007434 004fd00003f06800\nshow p 0\n",
          "p0 00000000\n");
    shows("sm 90\nr 7 32256\ni a000000007007234 004fe20003f0e800\nshow p 0\n", "p0 ffffffff\n");
    /* HSETP2.GT P0, |R0.H0_H0|, R7.H0_H0 */
    shows("sm 90\nr 0 48128\nr 7 0\ni 2000000700007234 004fe20003f04a00\nshow p 0\n",
          "p0 ffffffff\n");
    shows("sm 90\nr 0 48128\nr 7 15360\ni 2000000700007234 004fe20003f04a00\nshow p 0\n",
          "p0 00000000\n");
    /* HSET2.BF.GT R7, R0, R7; HSET2.GT R0, R0, R7 */
    shows("sm 90\nr 0 1073757184\nr 7 1006648832\ni 0000000700077233 004fca0003804080\nshow r 7\n",
          "r7 1006632960 ");
    shows("sm 90\nr 0 1073757184\nr 7 1006648832\ni 0000000700007233 004fe20003804000\nshow r 0\n",
          "r0 -65536 ");
}

/* 0.1 and 0.7 are no floats. 1.5 is 0x3ff80000 above 0, 0.25 is 0x3fd00000. */
TEST(sums_and_products_of_doubles) {
    /* DADD R2, R22, R20; DADD R4, -R22, R20; DADD R26, R22, |R20| */
    shows("sm 90\nd 22 0.1 1\nd 20 -0.7\ni 0000000016027229 140fe20000000014\nshow d 2\n",
          "d2 -0.6 0.4 1.4 ");
    shows("sm 90\nd 22 0.1 1\nd 20 -0.7\ni 0000000016047229 000fc40000000114\nshow d 4\n",
          "d4 -0.8 -1.8 ");
    shows("sm 90\nd 22 0.1 1\nd 20 -0.7\ni 00000000161a7229 040fe20000000414\nshow d 26\n",
          "d26 0.8 1.8 ");
    /* DADD R8, R20, UR6; sm_75: DADD R20, R6, c[0x0][0x190]: the third operand's place */
    shows("sm 90\nd 20 0.1 1\nu 6 0\nu 7 1073217536\ni 0000000614087e29 004fc40008000000\n"
          "show d 8\n",
          "d8 1.6 2.6 ");
    shows("sm 75\nd 6 0.1 1\nc 400 0\nc 404 1073217536\ni 0000640006147629 040ea20000000000\n"
          "show d 20\n",
          "d20 1.6 2.6 ");
    /* DMUL R6, R22, R20; sm_75: DMUL R22, R6, c[0x0][0x190] */
    shows("sm 90\nd 22 0.1 1\nd 20 3\ni 0000001416067228 0c0fe20000000000\nshow d 6\n",
          "d6 0.3 3.3 ");
    shows("sm 75\nd 6 0.1 1\nc 400 0\nc 404 1073217536\ni 0000640006167a28 000f620000000000\n"
          "show d 22\n",
          "d22 0.15 1.65 ");
    /* DFMA R8, R22, R20, R14; DFMA R10, -R22, R20, -R14; DFMA R18, R20, R18, 0.25 */
    shows("sm 90\nd 22 0.1 1\nd 20 3\nd 14 10\ni 000000141608722b 010fc6000000000e\nshow d 8\n",
          "d8 10.3 13.3 ");
    shows("sm 90\nd 22 0.1 1\nd 20 3\nd 14 10\ni 00000014160a722b 001fc6000000090e\nshow d 10\n",
          "d10 -10.3 -13.3 ");
    shows("sm 90\nd 20 0.1 1\nd 18 7\ni 3fd000001412742b 040fe40000000012\nshow d 18\n",
          "d18 0.95 7.95 14.95 ");
    /* One rounding: (1 + 2^-30) (1 - 2^-30) - 1 is -2^-60. */
    shows("sm 90\nd 22 1.000000000931322574615478515625\nd 20 0.999999999068677425384521484375\n"
          "d 14 -1\ni 000000141608722b 010fc6000000000e\nshow d 8\n",
          "d8 -8.67361737988404e-19 ");
}

TEST(doubles_are_compared_and_converted) {
    /* DSETP.GEU.AND P1, PT, R20, R22, PT; DSETP.NEU.AND P0, PT, |R2|, INF, PT; .GTU, of no number
     */
    shows("sm 90\nd 20 0.1 1\nd 22 1.1\ni 000000161400722a 008fe40003f2e000\nshow p 1\n",
          "p1 fffffffe\n");
    shows("sm 90\nd 2 -1e308 -1e308\ni 7ff000000200742a 000fdc0003f0d200\nshow p 0\n",
          "p0 00000001\n");
    shows("sm 90\nd 2 nan\ni 7ff000000200742a 000fdc0003f0c200\nshow p 0\n", "p0 ffffffff\n");
    /* .OR in the place of .AND, with PT; and the second result, which is the opposite */
    shows("sm 90\nd 20 0.1 1\nd 22 1.1\ni 000000161400722a 008fe40003f2e400\nshow p 1\n",
          "p1 ffffffff\n");
    shows("sm 90\np 4 ffff\ni 3ff800001400742a 000fe20003c2f000\nshow p 4\n", "p4 00000000\n");
    /* F2F.F32.F64 R27, R20; F2F.F64.F32 R18, R18 and of -R18 */
    shows("sm 90\nd 20 0.1 1\ni 00000014001b7310 000e620000301000\nshow r 27\n",
          "r27 1036831949 1066192077 ");
    shows("sm 90\nf 18 0.1 1\ni 0000001200127310 008e240000201800\nshow d 18\n",
          "d18 0.100000001490116 1.10000002384186 ");
    shows("sm 90\nf 18 0.1 1\ni 8000001200127310 008e240000201800\nshow d 18\n",
          "d18 -0.100000001490116 -1.10000002384186 ");
    /* F2F.F32.F64 RZ, R20 and MUFU.RCP64H RZ, R23 leave it 0 */
    shows("sm 90\nd 20 1.5\nd 22 4\ni 0000001400ff7310 000e620000301000\n"
          "i 0000001700ff7308 002e220000001800\nshow r 255\n",
          "r255 0 0 ");
    /* F2I.F64.TRUNC R29, R20; F2I.S64.F64.TRUNC R2, R20; F2I.F64.CEIL R11, R20; FRND.F64 */
    shows("sm 90\nd 20 -1.5 1\ni 00000014001d7311 000fe2000030d100\nshow r 29\n",
          "r29 -1 0 0 1 2 ");
    shows("sm 90\nd 20 -1.5 1e10\ni 0000001400027311 000ff0000030d900\nshow r 3\n", "r3 -1 2 4 6 ");
    shows("sm 90\nd 20 -1.5 1\ni 00000014000b7311 004e2c0000309100\nshow r 11\n",
          "r11 -1 0 1 2 3 ");
    shows("sm 90\nd 20 -1.5 1\ni 0000001400067313 000fe20000305800\nshow d 6\n", "d6 -2 -1 0 1 ");
    /* I2F.F64 R18, R18; the same of an unsigned number, and I2F.F64.S64 R26, R26 */
    shows("sm 90\nr 18 -1 1\ni 0000001200127312 010e240000201c00\nshow d 18\n", "d18 -1 0 1 2 ");
    shows("sm 90\nr 28 -1 1\ni 0000001c001c7312 002e640000201800\nshow d 28\n",
          "d28 4294967295 0 1 2 ");
    shows("sm 90\nr 26 0\nr 27 -1 1\ni 0000001a001a7312 010e240000301c00\nshow d 26\n",
          "d26 -4294967296 0 4294967296 ");
    /* MUFU.RCP64H R3, R23 and MUFU.RSQ64H R25, R21: upper halves, of 1 / 4 and of 1 / 2 */
    shows("sm 90\nd 22 4\ni 0000001700037308 002e220000001800\nshow r 3\n", "r3 1070596096 ");
    shows("sm 90\nd 20 4\ni 0000001500197308 008e220000001c00\nshow r 25\n", "r25 1071644672 ");
}

TEST(floats_become_whole_numbers) {
    /* FRND.FLOOR R5, R0; FRND.CEIL R11, -R8 */
    shows("sm 90\nf 0 -1.5 1\ni 0000000000057307 004e300000205000\nshow f 5\n", "f5 -2 -1 0 1 ");
    shows("sm 90\nf 8 -1.25 1\ni 80000008000b7307 020e620000209000\nshow f 11\n", "f11 2 1 -0 -1 ");
}

TEST(products_of_matrices) {
    /* HMMA.16816.F32 R4, R28, R60, R12 with both matrices full of ones: 16 and what was there */
    shows("sm 90\nr 28 1006648320\nr 29 1006648320\nr 30 1006648320\nr 31 1006648320\n"
          "r 60 1006648320\nr 61 1006648320\nf 12 0 1\nf 13 0\nf 14 0\nf 15 0\n"
          "i 0000003c1c04723c 041fec000000180c\nshow f 4\nshow f 7\n",
          "f4 16 17 18 19 ");
    /* Row 8 to 15 of the left matrix, R29 and R31, belongs to the last two of the sums. */
    shows("sm 90\nr 28 1006648320\nr 30 1006648320\nr 60 1006648320\nr 61 1006648320\n"
          "i 0000003c1c04723c 041fec000000180c\nshow f 5\nshow f 6\n",
          "f5 16 16 16 ");
    shows("sm 90\nr 28 1006648320\nr 30 1006648320\nr 60 1006648320\nr 61 1006648320\n"
          "i 0000003c1c04723c 041fec000000180c\nshow f 5\nshow f 6\n",
          "f6 0 0 0 ");
}

TEST(lanes_add_to_shared_memory) {
    /* ATOMS.POPC.INC.32 RZ, [R2]: all lanes count, encoded in two ways; ATOMS.ADD R11, [R11], R10
     */
    shows("sm 80\nr 2 512\ni 0000000002ff7f8c 0001e2000d00003f\nshow s 512\n", "s512 32\n");
    shows("sm 90\nr 2 512\ni 0000000002ff7f8c 0001e2000d80003f\nshow s 512\n", "s512 32\n");
    shows("sm 90\nr 11 512\nr 10 3\ni 0000000a0b0a738c 0022a40000000000\nshow s 512\n",
          "s512 96\n");
}

#define INNER "segment 1 2 1\nsegment 1 2 1\nsegment 1 2 1\nsegment 1 2 1\n"

/* sm_90: MATCH.ANY R5, R0. How many values it tells apart is what it takes. */
TEST(lanes_are_compared) {
    shows("sm 90\nr 0 7\ni 00000000000573a1 004e2400000e8000\nshow wavefronts 0\n",
          "wavefronts 1\n");
    shows("sm 90\nr 0 7 3\ni 00000000000573a1 004e2400000e8000\nshow wavefronts 0\n",
          "wavefronts 32\n");
    shows("sm 90\nr 0 7 3\ni 00000000000573a1 004e2400000e8000\nshow r 5\n", "r5 1 2 4 8 ");
}

/* LDG.E R0, [R2.64]; STG.E [R2.64], R5: four sectors, whichever comes first. */
TEST(sectors_are_first_loaded_or_stored) {
#define LOAD  "i 0000000402007981 000ea4000c1e1900\n"
#define STORE "i 0000000502007986 000fe2000c101904\n"
    shows("sm 90\nr 2 4096 4\nr 3 1\n" LOAD LOAD "show sectors 0\n", "sectors 4 0 0\n");
    shows("sm 90\nr 2 4096 4\nr 3 1\n" LOAD STORE STORE "show sectors 0\n", "sectors 4 0 4\n");
    shows("sm 90\nr 2 4096 4\nr 3 1\n" STORE LOAD STORE "show sectors 0\n", "sectors 0 4 0\n");
}

/* LDGSTS.E [R9+0x40], [R2.64+0x80]: four bytes per lane, eight lanes per sector; in one bank of
 * shared memory they take a wavefront each. test_estimate has what is copied. */
TEST(copies_to_shared_memory_touch_both) {
#define COPY "i 0004008002097fae 000fe8000b921846\n"
    shows("sm 90\nr 2 4096 4\nr 3 1\nr 9 0 4\n" COPY "show sectors 0\n", "sectors 4 0 0\n");
    shows("sm 90\nr 2 4096 4\nr 3 1\nr 9 0 4\n" COPY "show wavefronts 0\n", "wavefronts 1\n");
    shows("sm 90\nr 2 4096 4\nr 3 1\nr 9 0 128\n" COPY "show wavefronts 0\n", "wavefronts 32\n");
}

TEST(loops_of_a_path_are_folded) {
    shows(INNER "segment 1 5 0\nshow path 0\n", "1+2 r1*4 1+5 \n");
    /* A loop around it: the repeat of the inner one does not begin the body of the outer one. */
    shows("segment 0 3 1\n" INNER "segment 1 9 1\n" INNER "segment 1 9 1\n" INNER
          "segment 1 9 1\n" INNER "segment 1 9 0\nshow path 0\n",
          "0+3 1+2 r1*4 1+9 r3*3 1+2 r1*4 1+9 \n");
    /* One that is entered elsewhere than its later iterations begin. */
    shows("segment 0 3 0\n" INNER "segment 8 2 1\nsegment 5 1 0\n" INNER
          "segment 8 2 1\nsegment 5 1 0\n" INNER "segment 8 2 1\nsegment 5 1 0\n" INNER
          "segment 8 2 1\nshow path 0\n",
          "0+3 1+2 r1*4 8+2 5+1 1+2 r1*4 8+2 r4*3 \n");
}

TEST(what_is_not_known_is_refused_in_one_line) {
    static const struct {
        const char *script, *line;
    } cases[] = {
        {"sm 90\ni 0000000004047310 004e620000305000\n", "instruction 0x110 "}, /* F2F.RM */
        {"sm 90\ni 0004008002097fae 000fe8000b931846\n", "(0x1ae) is of another kind"},
        {"sm 90\ni 0000003c1c04723c 041fec000000080c\n", "instruction 0x03c "}, /* other shape */
        {"sm 90\ni 0000000000037919 000e220000009900\n", "special register 0x99 "},
        {"sm 90\ni 00000004020573a9 000ea20000000406\n", "of 8 bytes (0x1a9) "}, /* CAS.64 */
        {"sm 90\ni 8000000504047207 000fe40004000000\n", "instruction 0x007 "},  /* SEL, -R5 */
        {"sm 90\ni 0000000600067308 001eb00000003c00\n", "instruction 0x108 "},  /* MUFU.? */
    };
    size_t k;

    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct result result = execute(cases[k].script);

        assert_code(result, 67);
        assert_says(result.err, cases[k].line);
        assert_says(result.err,
                    "cpucuda: machine-code: the machine code of words for sm_90 cannot");
        assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
    }
}
