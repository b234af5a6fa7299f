// The C interface of OpenHealthKit: a person's store as tables in the memory layout of Apache Arrow.
//
// Texts are UTF-8 and end with a null byte. Questions, options and answers are JSON with the names of the HTTP API. A
// function returns 0, or the code of an error; it then sets `*error` to a sentence, which the caller frees. A sentence
// never contains a health value, a date or metadata. `error` may be NULL.
//
// A store may be used by several threads at a time. A stream belongs to one thread at a time.
#ifndef OPENHEALTHKIT_H
#define OPENHEALTHKIT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The structures of the Arrow C data interface and the Arrow C stream interface, as their specifications define them:
// https://arrow.apache.org/docs/format/CDataInterface.html and …/CStreamInterface.html

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/// The codes of errors: those of HealthKit's HKError where it has one.
enum {
    OHK_OK = 0,
    /// Anything else, such as a damaged file.
    OHK_UNKNOWN = -1,
    /// A question, an option, a sample or SQL is invalid.
    OHK_INVALID_ARGUMENT = 3,
    /// The caller may not write the type.
    OHK_AUTHORIZATION_DENIED = 4,
    /// The store can't be opened, read or written.
    OHK_DATABASE_INACCESSIBLE = 6,
    /// The progress function ended an import.
    OHK_USER_CANCELED = 7,
    /// The subject of a question doesn't exist.
    OHK_NO_DATA = 11,
};

/// A store that is open.
typedef struct OHKStore OHKStore;

/// Returns the versions of this library and of those inside it as a JSON object, which the caller frees.
char *ohk_versions(void);

/// Frees a text of this library. NULL is allowed.
void ohk_free(char *text);

/// Opens a store, or sets `*store` to NULL. All options can be left out:
///
/// - `path`: a file, or an address such as `postgresql://host/database?person=anna`; by default `$HEALTHKIT_STORE` or the
///   file of the command line hk.
/// - `create`: whether to create a file that doesn't exist; false by default.
/// - `keyFile`, `passphrase`: the key of an encrypted store; by default that of the environment.
/// - `timeZone`: the person's time zone; by default that of the last import, else the system's.
/// - `now`: the time that questions about today are answered for.
/// - `demo`: a number of records. A store in memory with about as many records of a fictional person, in place of `path`.
/// - `seed`: the number of the fictional person; 1 by default.
int32_t ohk_open(const char *options, OHKStore **store, char **error);

/// Closes a store. NULL is allowed. Streams that are still open can be read to their end.
void ohk_close(OHKStore *store);

/// Checks a question without answering it.
int32_t ohk_check(OHKStore *store, const char *question, char **error);

/// Answers a question with JSON, which the caller frees, exactly as the HTTP API does.
///
/// The member `question` is the path of the API, such as `sleep`; other members are its parameters.
int32_t ohk_ask(OHKStore *store, const char *question, char **answer, char **error);

/// Answers a question with a table: `samples`, `sql` (with the member `query`), or the list of a question of `ohk_ask`.
///
/// `stream` is uninitialized; the caller releases it.
int32_t ohk_stream(OHKStore *store, const char *question, struct ArrowArrayStream *stream, char **error);

/// Makes a table of what the HTTP API of a server has answered to a question: JSON, or for `samples` one sample in a line.
///
/// `store` is one in memory without records, and has the time zone of the answer.
int32_t ohk_receive(
    OHKStore *store, const char *question, const char *answer, struct ArrowArrayStream *stream, char **error);

/// Releases the stream in a PyCapsule of Python, unless its consumer has, and frees the stream's memory, which is from
/// `malloc`: the destructor of such a capsule, which is named `arrow_array_stream`.
void ohk_release_capsule(void *capsule);

/// The progress of an import, on any thread. `total` is -1 if it is unknown. Another result than 0 ends the import.
typedef int32_t (*OHKProgress)(int64_t bytes, int64_t total, int64_t records, void *context);

/// Imports an Apple Health archive, or files of devices and services as `hk import` does, into a store.
///
/// Options: `path`; `mirror`, `anyPerson`, `trustSize`, `recover` and `timeZone` as `hk import` has them. `progress` may be
/// NULL. The report is JSON, which the caller frees.
int32_t ohk_import(
    OHKStore *store, const char *options, OHKProgress progress, void *context, char **report, char **error);

/// Saves samples, all or none: a JSON array of samples as the HTTP API has them. The answer is JSON, which the caller
/// frees.
int32_t ohk_add(OHKStore *store, const char *samples, char **answer, char **error);

#ifdef __cplusplus
}
#endif

#endif
