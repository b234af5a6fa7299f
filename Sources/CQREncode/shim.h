#include <dlfcn.h>
#include <qrencode.h>

// The functions of libqrencode that are called. Nothing is linked with the library: it is opened for the first code, so that a
// program without it does everything else.
struct QRFunctions {
    __typeof__(QRcode_encodeString8bit) * _Nonnull encode;
    __typeof__(QRcode_free) * _Nonnull release;
};

/// Finds the functions in a library. Returns whether it has them.
static inline _Bool QRFindFunctions(const char * _Nonnull library, struct QRFunctions * _Nonnull functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    functions->encode = (__typeof__(functions->encode))dlsym(handle, "QRcode_encodeString8bit");
    functions->release = (__typeof__(functions->release))dlsym(handle, "QRcode_free");
    return functions->encode && functions->release;
}
