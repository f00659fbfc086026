/* The browser that tests load pages in. */
#ifndef BROWSER_H
#define BROWSER_H

#include "testing.h"

/* The name of the browser; NULL, said once, where there is none. */
static inline const char *browser(void) {
    static const char *names[] = {"chromium", "chromium-browser", "google-chrome"};
    static int said;
    char command[64];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(command, sizeof command, "command -v %s >/dev/null", names[i]);
        if (system(command) == 0)
            return names[i];
    }
    if (!said++)
        printf("no Chromium here: what a browser makes of our pages is not tested "
               "(sh common/setup.sh tests installs it)\n");
    return NULL;
}

#endif
