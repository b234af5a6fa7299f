#include "CSQLiteBounds.h"

#include <pthread.h>
#include <sqlite3.h>
#include <time.h>

static _Thread_local struct sqlite_bounds *current;

void sqlite_bounds_enter(struct sqlite_bounds *bounds) { current = bounds; }

static int is_allowed(struct sqlite_bounds *bounds, int64_t bytes) {
    if (bounds->memory + bytes > bounds->memory_limit) {
        if (!bounds->reached) bounds->reached = SQLITE_BOUNDS_MEMORY;
        return 0;
    }
    // SQLite looks at the time only where a statement loops. What takes long between is large.
    if (bytes < 4096) return 1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec < bounds->end;
}

static void count(struct sqlite_bounds *bounds, int64_t bytes) {
    bounds->memory += bytes;
    if (bounds->memory > bounds->most_memory) bounds->most_memory = bounds->memory;
}

int sqlite_bounds_take(int64_t bytes) {
    if (!current) return 1;
    if (bytes > 0 && !is_allowed(current, bytes)) return 0;
    count(current, bytes);
    return 1;
}

// MARK: Memory

static sqlite3_mem_methods usual;
static int is_installed;

int sqlite_bounds_are_installed(void) { return is_installed; }

static void *allocate(int bytes) {
    if (current && !is_allowed(current, bytes)) return 0;
    void *memory = usual.xMalloc(bytes);
    if (current && memory) count(current, usual.xSize(memory));
    return memory;
}

static void release(void *memory) {
    if (current && memory) current->memory -= usual.xSize(memory);
    usual.xFree(memory);
}

static void *resize(void *memory, int bytes) {
    if (!current) return usual.xRealloc(memory, bytes);
    int before = usual.xSize(memory);
    if (bytes > before && !is_allowed(current, bytes - before)) return 0;
    void *moved = usual.xRealloc(memory, bytes);
    if (moved) count(current, usual.xSize(moved) - before);
    return moved;
}

// SQLite takes another allocator only before its first use.
__attribute__((constructor)) static void install(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK) return;
    sqlite3_mem_methods methods = usual;
    methods.xMalloc = allocate;
    methods.xFree = release;
    methods.xRealloc = resize;
    is_installed = sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
}

// MARK: Temporary files

static pthread_once_t registered = PTHREAD_ONCE_INIT, opened = PTHREAD_ONCE_INIT;
static sqlite3_vfs file_system;
static const sqlite3_io_methods *usual_methods;
static sqlite3_io_methods bounded_methods;

static int write_bytes(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    if (current && (current->written += size) > current->written_limit) {
        if (!current->reached) current->reached = SQLITE_BOUNDS_FILES;
        return SQLITE_FULL;
    }
    return usual_methods->xWrite(file, bytes, size, offset);
}

static _Thread_local const sqlite3_io_methods *first_methods;

static void copy_methods(void) {
    usual_methods = first_methods;
    bounded_methods = *usual_methods;
    bounded_methods.xWrite = write_bytes;
}

static int open_file(sqlite3_vfs *self, sqlite3_filename name, sqlite3_file *file, int flags, int *taken) {
    sqlite3_vfs *base = self->pAppData;
    int code = base->xOpen(base, name, file, flags, taken);
    if (code != SQLITE_OK || name) return code;
    first_methods = file->pMethods;
    pthread_once(&opened, copy_methods);
    if (file->pMethods == usual_methods) file->pMethods = &bounded_methods;
    return code;
}

static void register_file_system(void) {
    sqlite3_vfs *base = sqlite3_vfs_find(0);
    if (!base) return;
    file_system = *base;
    file_system.pNext = 0;
    file_system.zName = "bounded";
    file_system.pAppData = base;
    file_system.xOpen = open_file;
    sqlite3_vfs_register(&file_system, 0);
}

const char *sqlite_bounds_file_system(void) {
    pthread_once(&registered, register_file_system);
    return file_system.zName;
}
