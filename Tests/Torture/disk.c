// A disk that fails, preloaded into a program that writes a store.
//
// At a given system call on the store's files the program is killed (DISK_KILL_AT), in a write after a part of it, or a
// number of calls fail (DISK_FAIL_AT, DISK_FAIL_COUNT, DISK_ERRNO). With DISK_LIES, syncs do nothing. With DISK_JOURNAL, what every write replaces is
// recorded, so that PowerCut.swift can take back what was not synced. The store's files are $DISK_STORE with the suffixes
// of SQLite; its index of the log (-shm) doesn't survive a power failure and isn't recorded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1 << 16 };
enum { DATABASE = 1, LOG = 2, ROLLBACK = 3, FOLDER = 4 };
enum { WRITE = 1, TRUNCATE = 2, SYNC = 3, FOLDER_SYNC = 4, CREATE = 5, UNLINK = 6 };

struct record {
    uint32_t operation, file;
    uint64_t offset, length, previous_size, payload;
};

static char kinds[FILES];
static const char *store;
static char folder[4096];
static long kill_at, fail_at, fail_count, failure, calls;
static int journal = -1, lies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_ftruncate)(int, off64_t), (*real_unlink)(const char *), (*real_close)(int), (*real_fsync)(int);
static int (*real_link)(const char *, const char *), (*real_open)(const char *, int, ...);
static ssize_t (*real_write)(int, const void *, size_t);

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void start(void) {
    real_pwrite = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    real_write = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    real_ftruncate = (int (*)(int, off64_t))dlsym(RTLD_NEXT, "ftruncate64");
    real_unlink = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    real_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    real_link = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
    real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    kill_at = number("DISK_KILL_AT", 0);
    fail_at = number("DISK_FAIL_AT", 0);
    fail_count = number("DISK_FAIL_COUNT", 1);
    failure = number("DISK_ERRNO", ENOSPC);
    lies = getenv("DISK_LIES") != NULL;
    const char *path = getenv("DISK_JOURNAL");
    if (path) journal = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const char *given = getenv("DISK_STORE");
    if (given) {
        snprintf(folder, sizeof folder, "%s", given);
        char *slash = strrchr(folder, '/');
        if (slash) *slash = 0;
        store = given;
    }
}

// Tells how many calls there were, for a program that ends by itself.
__attribute__((destructor)) static void end(void) {
    const char *path = getenv("DISK_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) fprintf(file, "%ld\n", calls), fclose(file);
}

static int kind(const char *path) {
    if (!store) return 0;
    size_t length = strlen(store);
    if (strcmp(path, folder) == 0) return FOLDER;
    if (strncmp(path, store, length) != 0) return 0;
    const char *suffix = path + length;
    return !*suffix ? DATABASE : !strcmp(suffix, "-wal") ? LOG : !strcmp(suffix, "-journal") ? ROLLBACK : 0;
}

static int kind_of(int file) { return file >= 0 && file < FILES ? kinds[file] : 0; }

static void put(const void *bytes, size_t count) {
    while (count > 0) {
        ssize_t done = real_write(journal, bytes, count);
        if (done <= 0) abort();
        bytes = (const char *)bytes + done;
        count -= (size_t)done;
    }
}

// Records an operation, with what `length` bytes at `offset` were before.
static void note(int operation, int file, int descriptor, uint64_t offset, uint64_t length) {
    if (journal < 0) return;
    struct stat status = {0};
    if (descriptor >= 0) fstat(descriptor, &status);
    uint64_t size = (uint64_t)status.st_size;
    uint64_t count = offset >= size ? 0 : size - offset < length ? size - offset : length;
    struct record record = {(uint32_t)operation, (uint32_t)file, offset, length, size, count};
    char *previous = malloc(count + 1);
    for (uint64_t done = 0; done < count;) {
        // A descriptor of a file that is only written can't be read.
        ssize_t part = pread64(descriptor, previous + done, count - done, (off64_t)(offset + done));
        if (part <= 0) abort();
        done += (uint64_t)part;
    }
    put(&record, sizeof record);
    put(previous, count);
    free(previous);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

// Counts a call; returns whether it fails.
static int fails(void) {
    calls++;
    if (fail_at && calls >= fail_at && calls < fail_at + fail_count) {
        errno = (int)failure;
        return 1;
    }
    return 0;
}

static ssize_t store_write(int file, int what, const void *bytes, size_t count, off64_t offset) {
    pthread_mutex_lock(&lock);
    ssize_t result = -1;
    if (!fails()) {
        note(WRITE, what, file, (uint64_t)offset, count);
        if (calls == kill_at) {
            real_pwrite(file, bytes, (size_t)((uint64_t)calls * 2654435761u % (count + 1)), offset);
            die();
        }
        result = real_pwrite(file, bytes, count, offset);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    int what = kind_of(file);
    return what ? store_write(file, what, bytes, count, offset) : real_pwrite(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return pwrite64(file, bytes, count, offset); }

ssize_t write(int file, const void *bytes, size_t count) {
    int what = kind_of(file);
    if (!what) return real_write(file, bytes, count);
    off64_t offset = lseek64(file, 0, SEEK_CUR);
    ssize_t done = store_write(file, what, bytes, count, offset);
    if (done > 0) lseek64(file, offset + done, SEEK_SET);
    return done;
}

int ftruncate64(int file, off64_t size) {
    int what = kind_of(file);
    if (!what) return real_ftruncate(file, size);
    pthread_mutex_lock(&lock);
    int result = -1;
    if (!fails()) {
        note(TRUNCATE, what, file, (uint64_t)size, UINT64_MAX / 2);
        if (calls == kill_at) die();
        result = real_ftruncate(file, size);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

// The disk's own syncs aren't waited for: it survives the program, and the journal decides what survives the power.
int fsync(int file) {
    int what = kind_of(file);
    if (!what) return real_fsync(file);
    pthread_mutex_lock(&lock);
    int result = -1;
    if (!fails()) {
        if (calls == kill_at) die();
        if (!lies) note(what == FOLDER ? FOLDER_SYNC : SYNC, what, -1, 0, 0);
        result = 0;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int fdatasync(int file) { return fsync(file); }

int unlink(const char *path) {
    int what = kind(path);
    if (!what || what == FOLDER) return real_unlink(path);
    pthread_mutex_lock(&lock);
    int file = real_open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        calls++;
        note(UNLINK, what, file, 0, UINT64_MAX / 2);
        real_close(file);
        if (calls == kill_at) die();
    }
    int result = real_unlink(path);
    pthread_mutex_unlock(&lock);
    return result;
}

int link(const char *path, const char *other) {
    int what = kind(other);
    pthread_mutex_lock(&lock);
    int result = real_link(path, other);
    if (what && result == 0) note(CREATE, what, -1, 0, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

static int store_open(const char *path, int flags, mode_t mode) {
    int what = kind(path);
    int is_new = what && (flags & O_CREAT) && access(path, F_OK) != 0;
    int file = real_open(path, flags, mode);
    int error = errno;
    if (file >= 0 && file < FILES) {
        kinds[file] = (char)what;
        if (is_new) {
            pthread_mutex_lock(&lock);
            note(CREATE, what, -1, 0, 0);
            pthread_mutex_unlock(&lock);
        }
    }
    errno = error;
    return file;
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return store_open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return store_open(path, flags, mode);
}

int close(int file) {
    if (file >= 0 && file < FILES) kinds[file] = 0;
    return real_close(file);
}
