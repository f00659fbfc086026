/* A player: the process that holds a step's code. It gets turns; between them it is stopped. */
#ifndef PLAYER_PROCESS_H
#define PLAYER_PROCESS_H

#include "player_child.h"
#include "problems/outcome.h"
#include "protocol/player.h"

struct player;

/* Starts the program; the first turn should follow at once, since only after it is the player
 * stopped. Returns NULL when the system refuses; `message` (512 bytes) then says why. */
struct player *player_start(const struct player_options *options, char *message);

/* Has the player create a simulation. `parameters` is the problem's struct. */
enum outcome player_create(struct player *player, const void *parameters, size_t parameters_bytes,
                           size_t input_bytes, size_t output_bytes);

/* One run: poisons the output, starts the clock, copies `input` in, wakes the player, waits for its
 * answer, copies the output to `output`, stops the clock, stops the player. `seconds` is the time
 * between the two. The player gets `allowed` seconds beside its grace. */
enum outcome player_run(struct player *player, const void *input, void *output, int iterations,
                        double allowed, double *seconds);

enum outcome player_destroy(struct player *player);

/* Kills the process and frees everything. NULL is allowed. */
void player_end(struct player *player);

/* What happened in the last turn that failed: one line. */
const char *player_message(const struct player *player);

/* What the player printed so far (stdout and stderr; of more than 64 KiB the first 48 and
 * the last 16). */
const char *player_printed(const struct player *player);

/* The player's own word on its last run; figures out of their range are 0. */
struct figures player_figures(const struct player *player);

/* What was counted in the last run, in the player's own word; what is out of its range is 0. */
struct counters player_counters(const struct player *player);

/* What cpucuda saw in the last run that would be the reason of a wrong result, as an outcome and a
 * message with source lines; OUTCOME_ACCEPTED if nothing. */
enum outcome player_suspect(const struct player *player, char message[512]);

/* The process that runs the program. */
pid_t player_pid(const struct player *player);

#endif
