/* What sanitizers printed about faulty copies of step 02, as a player's output had it: reports of
 * clang 14 and gcc 12, with the frames below the step's own left out. */
#ifndef SANITIZER_REPORTS_H
#define SANITIZER_REPORTS_H

#define ARCHER                                                                                     \
    "Archer detected OpenMP application with TSan, supplying OpenMP synchronization semantics\n"

/* `static float fx, fy, fz;` at file scope, used by all threads. */
static const char tsan_global[] = ARCHER
    "==================\n"
    "WARNING: ThreadSanitizer: data race (pid=25171)\n"
    "  Write of size 4 at 0x5555569cb298 by thread T1:\n"
    "    #0 update_velocities /home/ada/course/steps/02_openmp/nbody.c:27:22 (thread+0xd0934) "
    "(BuildId: 135fb884f3b103d7)\n"
    "    #1 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:78:9 (thread+0xd05df) "
    "(BuildId: 135fb884f3b103d7)\n"
    "    #2 .omp_outlined. /home/ada/course/steps/02_openmp/nbody.c:74:1 (thread+0xd12a5) "
    "(BuildId: 135fb884f3b103d7)\n"
    "    #3 __kmp_invoke_microtask <null> (libomp.so.5+0xd55a2) (BuildId: e9e0c9f73b23c808)\n"
    "\n"
    "  Previous write of size 4 at 0x5555569cb298 by main thread:\n"
    "    #0 update_velocities /home/ada/course/steps/02_openmp/nbody.c:39:16 (thread+0xd0c44) "
    "(BuildId: 135fb884f3b103d7)\n"
    "    #1 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:78:9 (thread+0xd05df) "
    "(BuildId: 135fb884f3b103d7)\n"
    "\n"
    "  Location is global 'fz' of size 4 at 0x5555569cb298 (thread+0x1477298)\n"
    "\n"
    "  Thread T1 (tid=25174, running) created by main thread at:\n"
    "    #0 pthread_create <null> (thread+0x5161d) (BuildId: 135fb884f3b103d7)\n"
    "\n"
    "SUMMARY: ThreadSanitizer: data race /home/ada/course/steps/02_openmp/nbody.c:27:22 in "
    "update_velocities\n"
    "==================\n";

/* A local variable of simulation_run, before its parallel region. */
static const char tsan_stack[] = ARCHER
    "LLVMSymbolizer: error reading file: No such file or directory\n"
    "==================\n"
    "WARNING: ThreadSanitizer: data race (pid=25180)\n"
    "  Write of size 4 at 0x7fffffffe38c by thread T1:\n"
    "    #0 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:78:15 (thread+0xd0666) "
    "(BuildId: 87a07bf09a8aa1d6)\n"
    "    #1 .omp_outlined. /home/ada/course/steps/02_openmp/nbody.c:73:1 (thread+0xd1215) "
    "(BuildId: 87a07bf09a8aa1d6)\n"
    "\n"
    "  Previous write of size 4 at 0x7fffffffe38c by main thread:\n"
    "    #0 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:78:15 (thread+0xd0666) "
    "(BuildId: 87a07bf09a8aa1d6)\n"
    "\n"
    "  Location is stack of main thread.\n"
    "\n"
    "  Location is global '?"
    "?' at 0x7ffffffde000 ([stack]+0x2038c)\n"
    "\n"
    "SUMMARY: ThreadSanitizer: data race /home/ada/course/steps/02_openmp/nbody.c:78:15 in "
    ".omp_outlined._debug__\n"
    "==================\n";

/* `#pragma omp for` missing before the loop over positions. */
static const char tsan_output[] = ARCHER
    "==================\n"
    "WARNING: ThreadSanitizer: data race (pid=25189)\n"
    "  Read of size 4 at 0x7ffff7b3a00c by thread T1:\n"
    "    #0 update_positions /home/ada/course/steps/02_openmp/nbody.c:51:39 (thread+0xd0ddf) "
    "(BuildId: 7ab79db19acf25ff)\n"
    "    #1 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:78:9 (thread+0xd061c) "
    "(BuildId: 7ab79db19acf25ff)\n"
    "\n"
    "  Previous write of size 4 at 0x7ffff7b3a00c by main thread:\n"
    "    #0 update_velocities /home/ada/course/steps/02_openmp/nbody.c:39:22 (thread+0xd0bcc) "
    "(BuildId: 7ab79db19acf25ff)\n"
    "    #1 .omp_outlined._debug__ /home/ada/course/steps/02_openmp/nbody.c:75:9 (thread+0xd05df) "
    "(BuildId: 7ab79db19acf25ff)\n"
    "\n"
    "  Location is global '?"
    "?' at 0x7ffff7b3a000 (memfd:output (deleted)+0xc)\n"
    "\n"
    "SUMMARY: ThreadSanitizer: data race /home/ada/course/steps/02_openmp/nbody.c:51:39 in "
    "update_positions\n"
    "==================\n";

/* A read of in[n]. */
static const char asan_gcc[] =
    "=================================================================\n"
    "==25200==ERROR: AddressSanitizer: use-after-poison on address 0x7ffff7693c08 at pc "
    "0x555555558820 bp 0x7fffffffe300 sp 0x7fffffffe2f8\n"
    "READ of size 4 at 0x7ffff7693c08 thread T0\n"
    "    #0 0x55555555881f in simulation_run steps/02_openmp/nbody.c:72\n"
    "    #1 0x555555557349 in main player/player.c:76\n"
    "    #2 0x7ffff6e45249 in __libc_start_call_main "
    "../sysdeps/nptl/libc_start_call_main.h:58\n"
    "\n"
    "Address 0x7ffff7693c08 is a wild pointer inside of access range of size 0x000000000004.\n"
    "SUMMARY: AddressSanitizer: use-after-poison steps/02_openmp/nbody.c:72 in simulation_run\n"
    "==25200==ABORTING\n";

static const char asan_clang[] =
    "=================================================================\n"
    "==25206==ERROR: AddressSanitizer: use-after-poison on address 0x7ffff77f2c08 at pc "
    "0x55555563354b bp 0x7fffffffe270 sp 0x7fffffffe268\n"
    "READ of size 4 at 0x7ffff77f2c08 thread T0\n"
    "    #0 0x55555563354a in simulation_run /home/ada/course/steps/02_openmp/nbody.c:72:54\n"
    "    #1 0x555555575489 in main /home/ada/course/common/player/player.c:76:22\n"
    "\n"
    "SUMMARY: AddressSanitizer: use-after-poison /home/ada/course/steps/02_openmp/nbody.c:72:54 in "
    "simulation_run\n"
    "==25206==ABORTING\n";

/* 1 << 33, behind words of the step's own. */
static const char ubsan_gcc[] =
    "steps/02_openmp/nbody.c:11: starting\n"
    "steps/02_openmp/nbody.c:72:27: runtime error: shift exponent 33 is too large for 32-bit type "
    "'int'\n"
    "    #0 0x55555555880c in simulation_run steps/02_openmp/nbody.c:72\n"
    "    #1 0x555555557359 in main player/player.c:76\n";

static const char ubsan_clang[] =
    "steps/02_openmp/nbody.c:72:27: runtime error: shift exponent 33 is too large for 32-bit type "
    "'int'\n"
    "    #0 0x555555633523 in simulation_run /home/ada/course/steps/02_openmp/nbody.c:72:27\n"
    "\n"
    "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior steps/02_openmp/nbody.c:72:27 in \n";

/* Of host code of a CUDA step that ends: gcc 12, with the frames of the system left out. */
static const char tsan_division[] =
    "ThreadSanitizer:DEADLYSIGNAL\n"
    "==24153==ERROR: ThreadSanitizer: FPE on unknown address 0x555555555249 (pc 0x555555555249 bp "
    "0x7fffffffe540 sp 0x7fffffffe510 T24153)\n"
    "    #0 simulation_run /home/ada/course/steps/02_openmp/nbody.c:72 (thread+0x1249)\n"
    "\n";
static const char tsan_null[] =
    "ThreadSanitizer:DEADLYSIGNAL\n"
    "==24158==ERROR: ThreadSanitizer: SEGV on unknown address 0x000000000008 (pc 0x55555555525d bp "
    "0x7fffffffe540 sp 0x7fffffffe510 T24158)\n"
    "==24158==The signal is caused by a WRITE memory access.\n"
    "==24158==Hint: address points to the zero page.\n"
    "    #0 simulation_run /home/ada/course/steps/02_openmp/nbody.c:72 (thread+0x125d)\n";
static const char asan_abort[] =
    "AddressSanitizer:DEADLYSIGNAL\n"
    "=================================================================\n"
    "==24185==ERROR: AddressSanitizer: ABRT on unknown address 0x000000005e79 (pc 0x7efdd28a8eec "
    "bp 0x7efdd39217c0 sp 0x7ffdf017ae10 T0)\n"
    "    #0 0x7efdd28a8eec in __pthread_kill_implementation nptl/pthread_kill.c:44\n"
    "    #1 0x7efdd2844471 in __GI_abort stdlib/abort.c:79\n"
    "    #2 0x5580e8d893f9 in simulation_run /home/ada/course/steps/02_openmp/nbody.c:72\n";
static const char asan_twice[] =
    "=================================================================\n"
    "==24193==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:\n"
    "    #0 0x7fdd500b76a8 in __interceptor_free "
    "../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:52\n"
    "    #1 0x55a5d558b409 in simulation_run /home/ada/course/steps/02_openmp/nbody.c:72\n";

#endif
