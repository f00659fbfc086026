/* Every way a command of the referee can end. The values are the exit codes of build/referee;
 * docs/exit-codes.md lists them, and a test compares the two. Behind the name: which kind of hints
 * a learner gets (hints.h); none for what commands say of themselves, what the course does not
 * teach and a part that is not written, which has hints of its own. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stddef.h>

#define OUTCOMES(X)                                                                                \
    X(0, ACCEPTED, NONE, "accepted", "the command did what was asked; a check was accepted")       \
    X(1, INTERNAL, NONE, "internal",                                                               \
      "the referee itself failed, or the system refused it something")                             \
    /* 2 is make's own status */                                                                   \
    X(3, USAGE, NONE, "usage", "an option or a variable is unknown or has a value it cannot have") \
    X(4, NO_STEP, NONE, "no-step", "the catalogue has no such step")                               \
    X(5, NO_VARIANT, NONE, "no-variant", "the step has no such variant")                           \
    X(6, NO_SOURCE, NONE, "no-source", "the file that was named, or the step's own, is not there") \
    X(7, COMPILE, COMPILE, "compile", "the step's source does not compile")                        \
    X(8, NO_GPU, NONE, "no-gpu", "a GPU was demanded and there is none that can be used")          \
    X(9, SIZE, NONE, "size", "a number of bodies, iterations or repeats is out of its range")      \
    X(10, RESULTS, NONE, "results",                                                                \
      "the results folder, a file in it or the file that TO names cannot be written")              \
    X(11, HEADER, NONE, "header", "a record file has another header; it was left untouched")       \
    X(12, LOCKED, NONE, "locked", "another process held the record's lock for too long")           \
    X(13, RECORD, NONE, "record", "a record file is empty, cut off or damaged")                    \
    X(14, STATE, NONE, "state", "the step is not in the state that the command is for")            \
    X(15, FENCE, NONE, "fence", "the fences of a part are not whole")                              \
    X(16, INPUT, NONE, "input", "the file with the input cannot be read, or has a mistake")        \
    X(17, PORT, NONE, "port", "the port that was named cannot be listened at")                     \
    X(18, NO_MODEL, NONE, "no-model",                                                              \
      "the parameters of that GPU are not known, or have a mistake")                               \
    X(19, NO_CODE, NONE, "no-code", "nothing here makes machine code for that GPU")                \
    X(20, CRASHED, ACCESS, "crashed", "the step was ended by a signal")                            \
    X(21, EXITED, ACCESS, "exited", "the step's process ended before it answered")                 \
    X(22, HUNG, ACCESS, "hung", "the step did not answer in time")                                 \
    X(23, FLOODED, NONE, "flooded", "the step printed more than it may")                           \
    X(24, CLOSED, NONE, "closed", "the step closed the pipe it answers on")                        \
    X(25, FORKED, NONE, "forked", "the step started another process")                              \
    X(26, FORBIDDEN, NONE, "forbidden", "the step made a system call that no step needs")          \
    X(27, PROTOCOL, NONE, "protocol",                                                              \
      "the step answered when it was not asked, or more than once")                                \
    X(28, OWN_ERROR, ACCESS, "own-error", "the step's create or run function reported an error")   \
    X(30, UNWRITTEN, RESULT, "unwritten", "part of the output was never written")                  \
    X(31, NOT_FINITE, RESULT, "not-finite", "the output holds NaN or Inf")                         \
    X(32, WRONG, RESULT, "wrong",                                                                  \
      "the output differs from the right answer by more than the tolerance")                       \
    X(33, DECIMALS, RESULT, "decimals", "more than 1% of coordinates are wrong at decimal 1 or 2") \
    X(34, TIMED_OUTPUT, RESULT, "timed-output", "the output of a timed run is wrong")              \
    X(35, IDEA, IDEA, "idea",                                                                      \
      "the result is right, but the technique check did not find the step's idea")                 \
    X(36, RACE, ACCESS, "race", "two threads touch the same memory without order")                 \
    X(37, MEMORY, ACCESS, "memory", "a memory or undefined-behaviour error was found")             \
    X(38, EXPECTED, RESULT, "expected", "a variant that should be rejected was accepted")          \
    X(39, UNFINISHED, NONE, "unfinished", "a part of the source is not written yet")               \
    X(40, INCONCLUSIVE, NONE, "inconclusive", "one program slowed the other down; measure again")  \
    /* what cpucuda finds */                                                                       \
    X(41, BARRIER, ACCESS, "barrier",                                                              \
      "threads of a block wait at different barriers, or some never come")                         \
    X(42, WARP_MASK, LANES, "warp-mask",                                                           \
      "a warp's lanes and the mask of their operation do not agree")                               \
    X(43, HOST_POINTER, ACCESS, "host-pointer", "a kernel used memory of the host")                \
    X(44, DEVICE_POINTER, ACCESS, "device-pointer", "host code used memory of the device")         \
    X(45, COPY, ACCESS, "copy", "a copy has a wrong size, direction or pointer")                   \
    X(46, LAUNCH, ACCESS, "launch", "a launch is wrong or over a limit")                           \
    X(47, LEAKED_ERROR, ACCESS, "leaked-error", "a CUDA error that nobody acted on")               \
    X(48, ORDER, ACCESS, "order", "work was used before it was waited for")                        \
    X(49, UNCHECKED, NONE, "unchecked", "nothing here can run the step, so it was not checked")    \
    X(50, UNINITIALISED, ACCESS, "uninitialised",                                                  \
      "a kernel read shared memory that no thread had written")                                    \
    X(51, UNFREED, ACCESS, "unfreed", "device memory was not freed")                               \
    X(52, MISSING_CALL, NONE, "missing-call", "the step uses CUDA that cpucuda does not have")     \
    X(53, MACHINE_CODE, NONE, "machine-code",                                                      \
      "the step's machine code cannot be executed here, or is executed wrongly")                   \
    /* the grader */                                                                               \
    X(60, SUBMISSIONS, NONE, "submissions",                                                        \
      "there is nothing to grade in the folder that was named")                                    \
    X(61, RUBRIC, NONE, "rubric", "the rubric has a mistake; nothing was graded by it")            \
    X(62, GRADEBOOK, NONE, "gradebook",                                                            \
      "the gradebook is damaged or newer; it was left untouched")                                  \
    X(63, SANDBOX, NONE, "sandbox",                                                                \
      "this machine allows no sandbox, and nothing runs without one")                              \
    X(64, FULL, NONE, "full", "the disk is full; what was measured before is kept")                \
    X(65, STOPPED, NONE, "stopped", "grading was stopped; the same command goes on")               \
    X(66, LIMIT, NONE, "limit",                                                                    \
      "a limit of the sandbox ended the step: time, memory, processes, disk")

enum outcome {
#define OUTCOME_ENUM(code, name, hints, word, sentence) OUTCOME_##name = code,
    OUTCOMES(OUTCOME_ENUM)
#undef OUTCOME_ENUM
};

/* The outcome's word, as in a record's column `verdict` and in JSON. */
const char *outcome_word(enum outcome outcome);

/* The outcome of that word (length bytes of it), or OUTCOME_ACCEPTED if there is none. */
enum outcome outcome_of_word(const char *word, size_t length);

/* One sentence that says what the outcome means. */
const char *outcome_sentence(enum outcome outcome);

#endif
