// Bounds for what SQLite does for somebody who isn't trusted, on one thread: memory, temporary files and time.
#ifndef CSQLITE_BOUNDS_H
#define CSQLITE_BOUNDS_H

#include <stdint.h>

/// The reason for which something was refused.
enum { SQLITE_BOUNDS_MEMORY = 1, SQLITE_BOUNDS_FILES = 2 };

/// The bounds of a piece of work, and what it has taken so far, in bytes.
struct sqlite_bounds {
    int64_t memory, most_memory, memory_limit;
    int64_t written, written_limit;
    /// The end of its time, in nanoseconds of the monotonic clock.
    uint64_t end;
    /// The first bound that was reached, or 0.
    int32_t reached;
};

/// Lets SQLite's allocations and temporary files of this thread count, until it is called with NULL.
void sqlite_bounds_enter(struct sqlite_bounds *bounds);

/// Counts memory that isn't SQLite's; a negative number gives it back. Returns 0 if there is no more.
int sqlite_bounds_take(int64_t bytes);

/// Whether SQLite asks this library for memory: not if a program used SQLite before it loaded this library.
int sqlite_bounds_are_installed(void);

/// The name of SQLite's file system with bounded temporary files.
const char *sqlite_bounds_file_system(void);

#endif
