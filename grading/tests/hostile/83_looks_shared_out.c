/* A serial program whose other thread spins, so that two seem to work: the previous step's idea as
 * this one's. Right, and slow. */
#include "honest.h"
#include <pthread.h>

static volatile int working;

static void *spin(void *nothing) {
    while (working)
        ;
    return nothing;
}

HONEST_BUT_ITS_RUN {
    struct simulation *volatile own = simulation;
    pthread_t thread;
    struct body *bodies = own->out;
    int n = own->parameters.n;
    float dt = own->parameters.dt;

    working = 1;
    if (pthread_create(&thread, NULL, spin, NULL))
        return 1;
    memcpy(bodies, own->in, (size_t)n * sizeof *bodies);
    for (int iteration = 0; iteration < iterations; iteration++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
                      dz = bodies[j].z - bodies[i].z;
                float inverse =
                    1.0f / sqrtf(dx * dx + dy * dy + dz * dz + own->parameters.softening);
                float inverse_cube = inverse * inverse * inverse;

                bodies[i].vx += dt * dx * inverse_cube;
                bodies[i].vy += dt * dy * inverse_cube;
                bodies[i].vz += dt * dz * inverse_cube;
            }
        for (int i = 0; i < n; i++) {
            bodies[i].x += dt * bodies[i].vx;
            bodies[i].y += dt * bodies[i].vy;
            bodies[i].z += dt * bodies[i].vz;
        }
    }
    working = 0;
    return pthread_join(thread, NULL);
}
