#include <dlfcn.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The functions of libpq that are called. Nothing is linked with the library: it is opened by the first connection, because
// it needs two dozen other libraries, which every program would load at its start.
#define PQ_FUNCTIONS \
    function(PQbackendPID) function(PQclear) function(PQcmdStatus) function(PQconnectdbParams) \
    function(PQconsumeInput) function(PQenterPipelineMode) function(PQerrorMessage) function(PQexec) \
    function(PQexitPipelineMode) function(PQfinish) function(PQfreemem) function(PQgetResult) function(PQgetisnull) \
    function(PQgetlength) function(PQgetvalue) function(PQnotifies) function(PQntuples) function(PQpingParams) \
    function(PQpipelineSync) function(PQputCopyData) function(PQputCopyEnd) function(PQresultErrorField) \
    function(PQresultStatus) function(PQsendPrepare) function(PQsendQueryParams) function(PQsendQueryPrepared) \
    function(PQsetNoticeProcessor) function(PQsocket) function(PQstatus)

struct PQFunctions {
#define function(name) __typeof__(name) * _Nonnull name;
    PQ_FUNCTIONS
#undef function
};

/// Finds the functions in a library. Returns `NULL` and the table, or why the library can't be used.
static inline const char * _Nullable PQFindFunctions(const char * _Nonnull library, struct PQFunctions * _Nonnull functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
#define function(name) \
    functions->name = (__typeof__(functions->name))dlsym(handle, #name); \
    if (!functions->name) return dlerror();
    PQ_FUNCTIONS
#undef function
    return 0;
}
