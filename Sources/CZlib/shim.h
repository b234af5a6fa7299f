// zlib for Swift, which cannot see the macros that initialize streams.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// Raw deflate data, as in a zip file: no zlib header, no trailer.
static inline int czlib_inflateInitRaw(z_streamp stream) {
    return inflateInit2(stream, -15);
}

// Window bits of -15 are raw deflate data, 31 are gzip.
static inline int czlib_deflateInit(z_streamp stream, int level, int windowBits) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
}

#endif
