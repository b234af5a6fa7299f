// zlib for Swift. The initializers of zlib are macros, which Swift cannot see; these stand for them.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// Raw deflate data, as it stands in a zip file: no zlib header, no trailer.
static inline int czlib_inflateInitRaw(z_streamp stream) {
    return inflateInit2(stream, -15);
}

static inline int czlib_deflateInitRaw(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
}

#endif
