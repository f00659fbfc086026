/* Leaves shared memory, semaphores and queues behind that outlive every process. Else right. */
#include "honest.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/mman.h>

HONEST_BUT_ITS_RUN {
    for (int i = 0; i < 100; i++) {
        shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0666);
        semget(IPC_PRIVATE, 10, IPC_CREAT | 0666);
        msgget(IPC_PRIVATE, IPC_CREAT | 0666);
    }
    shm_open("/hostile-left", O_CREAT | O_RDWR, 0666);
    return honest_run(simulation, iterations);
}
