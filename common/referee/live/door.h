/* How viewers get in: the module that serves, the page, the address and its token. */
#ifndef DOOR_H
#define DOOR_H

#include "referee/base/options.h"
#include "server.h"

/* Starts the server of common/report/live/live.html at ADDRESS (else 127.0.0.1) and PORT (else one
 * that is free), and prints the address that viewers need. Complains if that cannot be. */
enum outcome door_open(const struct options *options, const struct server_functions **functions,
                       struct server **server);

#endif
