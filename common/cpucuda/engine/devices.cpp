/* Several devices that are alike. None reaches the memory of another: what one needs of another has
 * to be copied. On a GPU with peer access the same program runs; without it only this one does. */
#include <stdlib.h>

#include "host.h"

namespace cpucuda {

/* Three, so that "the other device" is none, and few bodies leave a device without any. */
enum { USUAL_DEVICES = 3 };

static __thread int current;

int devices() {
    static const int count = [] {
        const char *text = getenv("CPUCUDA_DEVICES");
        int wanted = text ? atoi(text) : USUAL_DEVICES;

        return wanted < 1 ? 1 : wanted > MOST_DEVICES ? (int)MOST_DEVICES : wanted;
    }();
    return count;
}

int current_device() {
    return current;
}

bool check_device(int device, place call) {
    if (device >= 0 && device < devices())
        return true;
    if (devices() == 1)
        failed(cudaErrorInvalidDevice, "device", call, "device %d; there is only 0", device);
    else
        failed(cudaErrorInvalidDevice, "device", call, "device %d; there are 0 to %d", device,
               devices() - 1);
    return false;
}

static cudaError_t answer(int *result, int value, place call) {
    if (!result)
        return failed(cudaErrorInvalidValue, "device", call, "the pointer to the result is NULL");
    *result = value;
    return cudaSuccess;
}

} // namespace cpucuda

using namespace cpucuda;

cudaError_t cudaGetDevice(int *device, const char *file, int line) {
    entered call({file, line, __func__});

    return answer(device, current, call);
}

cudaError_t cudaGetDeviceCount(int *count, const char *file, int line) {
    entered call({file, line, __func__});

    return answer(count, devices(), call);
}

cudaError_t cudaSetDevice(int device, const char *file, int line) {
    entered call({file, line, __func__});

    if (!check_device(device, call))
        return cudaErrorInvalidDevice;
    current = device;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer, const char *file, int line) {
    entered call({file, line, __func__});

    if (!check_device(device, call) || !check_device(peer, call))
        return cudaErrorInvalidDevice;
    return answer(can, 0, call);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags, const char *file, int line) {
    entered call({file, line, __func__});

    if (!check_device(peer, call))
        return cudaErrorInvalidDevice;
    if (flags)
        return failed(cudaErrorInvalidValue, "device", call, "the flags must be 0");
    if (peer == current)
        return failed(cudaErrorInvalidDevice, "device", call, "device %d is the current one", peer);
    return failed(cudaErrorPeerAccessUnsupported, "device", call,
                  "ask cudaDeviceCanAccessPeer first; cudaMemcpyPeerAsync needs no access");
}

cudaError_t cudaDeviceDisablePeerAccess(int peer, const char *file, int line) {
    entered call({file, line, __func__});

    if (!check_device(peer, call))
        return cudaErrorInvalidDevice;
    return failed(cudaErrorPeerAccessNotEnabled, "device", call,
                  "device %d does not reach the memory of device %d", current, peer);
}
