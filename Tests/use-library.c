// Uses the C interface as a careful program does, from several threads: streams that are read, half-read or not read at all,
// errors, imports and samples. Everything is released, so that a memory checker finds what the library keeps.
//
// usage: use-library LIBRARY FOLDER
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Sources/COpenHealthKit/openhealthkit.h"

static char *(*versions)(void);
static void (*release_text)(char *);
static int32_t (*open_store)(const char *, OHKStore **, char **);
static void (*close_store)(OHKStore *);
static int32_t (*check)(OHKStore *, const char *, char **);
static int32_t (*ask)(OHKStore *, const char *, char **, char **);
static int32_t (*open_stream)(OHKStore *, const char *, struct ArrowArrayStream *, char **);
static int32_t (*receive)(OHKStore *, const char *, const char *, struct ArrowArrayStream *, char **);
static int32_t (*import_archive)(OHKStore *, const char *, OHKProgress, void *, char **, char **);
static int32_t (*add)(OHKStore *, const char *, char **, char **);

static const char *const questions[] = {
    "{\"question\": \"samples\", \"type\": \"heartRate\"}",
    "{\"question\": \"samples\", \"type\": [\"sleepAnalysis\", \"stepCount\"]}",
    "{\"question\": \"statistics\", \"type\": \"stepCount\", \"interval\": \"day\"}",
    "{\"question\": \"sleep\", \"segments\": true}",
    "{\"question\": \"sql\", \"query\": \"SELECT * FROM samples LIMIT 100\"}",
};
enum { question_count = sizeof questions / sizeof *questions };

static void require(int condition, const char *what, const char *detail) {
    if (condition) return;
    fprintf(stderr, "FAILED: %s: %s\n", what, detail ? detail : "");
    exit(1);
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    require(found != NULL, name, dlerror());
    return found;
}

// Reads at most `limit` batches, and moves a column out of each, as the specification allows.
static int64_t read_stream(OHKStore *store, const char *question, int limit) {
    char *error = NULL;
    struct ArrowArrayStream stream;
    require(open_stream(store, question, &stream, &error) == OHK_OK, question, error);
    int64_t rows = 0;
    if (limit > 0) {
        struct ArrowSchema schema;
        require(stream.get_schema(&stream, &schema) == 0, question, "schema");
        require(schema.n_children > 0, question, "columns");
        struct ArrowSchema moved = *schema.children[0];
        schema.children[0]->release = NULL;
        schema.release(&schema);
        moved.release(&moved);
    }
    for (int batch = 0; batch < limit; batch++) {
        struct ArrowArray array;
        int code = stream.get_next(&stream, &array);
        require(code == 0, question, stream.get_last_error(&stream));
        if (array.release == NULL) break;
        rows += array.length;
        struct ArrowArray moved = *array.children[array.n_children - 1];
        array.children[array.n_children - 1]->release = NULL;
        array.release(&array);
        // What was moved out outlives the rest.
        require(moved.n_buffers > 0, question, "buffers");
        moved.release(&moved);
    }
    stream.release(&stream);
    require(stream.release == NULL, question, "a released stream");
    return rows;
}

static void expect_error(int32_t code, int32_t wanted, char **error) {
    require(code == wanted && *error != NULL && strlen(*error) > 10, "error", *error);
    release_text(*error);
    *error = NULL;
}

// An error in the middle of a stream, whose sentence belongs to the stream.
static void fail_within_stream(OHKStore *store) {
    const char *mixed = "{\"question\": \"sql\", \"query\": \"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                        "WHERE i < 66000) SELECT CASE WHEN i < 65990 THEN i ELSE 'text' END AS v FROM n\"}";
    char *error = NULL;
    struct ArrowArrayStream stream;
    require(open_stream(store, mixed, &stream, &error) == OHK_OK, "mixed", error);
    struct ArrowArray array;
    int failed = 0;
    while (!failed) {
        failed = stream.get_next(&stream, &array);
        if (!failed && array.release == NULL) break;
        if (!failed) array.release(&array);
    }
    require(failed && strstr(stream.get_last_error(&stream), "CAST") != NULL, "mixed", "no error");
    stream.release(&stream);
}

static void *use(void *argument) {
    OHKStore *store = argument;
    for (int index = 0; index < question_count; index++) {
        require(read_stream(store, questions[index], 1000) > 0, questions[index], "no rows");
        read_stream(store, questions[index], 1);
        read_stream(store, questions[index], 0);
        char *answer = NULL, *error = NULL;
        require(check(store, questions[index], &error) == OHK_OK, questions[index], error);
        if (index == 2 || index == 3) {
            require(ask(store, questions[index], &answer, &error) == OHK_OK, questions[index], error);
            release_text(answer);
        }
    }
    char *error = NULL, *answer = NULL;
    struct ArrowArrayStream stream;
    int32_t code = open_stream(store, "{\"question\": \"samples\", \"type\": \"hartRate\"}", &stream, &error);
    expect_error(code, OHK_INVALID_ARGUMENT, &error);
    code = ask(store, "{\"question\": \"workouts/00000000-0000-0000-0000-000000000000\"}", &answer, &error);
    expect_error(code, OHK_NO_DATA, &error);
    code = add(store, "[{\"type\": \"bodyMass\"}]", &answer, &error);
    expect_error(code, OHK_INVALID_ARGUMENT, &error);
    return NULL;
}

static int32_t observe(int64_t bytes, int64_t total, int64_t records, void *context) {
    (void)bytes, (void)total, (void)records;
    ++*(int *)context;
    return 0;
}

int main(int count, char **arguments) {
    require(count == 3, "usage", "use-library LIBRARY FOLDER");
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "dlopen", library ? "" : dlerror());
    *(void **)&versions = symbol(library, "ohk_versions");
    *(void **)&release_text = symbol(library, "ohk_free");
    *(void **)&open_store = symbol(library, "ohk_open");
    *(void **)&close_store = symbol(library, "ohk_close");
    *(void **)&check = symbol(library, "ohk_check");
    *(void **)&ask = symbol(library, "ohk_ask");
    *(void **)&open_stream = symbol(library, "ohk_stream");
    *(void **)&receive = symbol(library, "ohk_receive");
    *(void **)&import_archive = symbol(library, "ohk_import");
    *(void **)&add = symbol(library, "ohk_add");

    char *text = versions();
    require(strstr(text, "SQLite") != NULL, "versions", text);
    release_text(text);
    release_text(NULL);

    char *error = NULL;
    OHKStore *store = (OHKStore *)&error;
    expect_error(open_store("{\"path\": \"/nowhere/health.sqlite\"}", &store, &error), OHK_DATABASE_INACCESSIBLE, &error);
    require(store == NULL, "open", "a store after an error");
    close_store(store);
    expect_error(open_store("not JSON", &store, &error), OHK_INVALID_ARGUMENT, &error);
    // Without a place for the sentence, there is only a code.
    require(open_store("not JSON", &store, NULL) == OHK_INVALID_ARGUMENT, "open", "code");

    require(open_store("{\"demo\": 1000, \"timeZone\": \"Europe/Berlin\", \"now\": \"2025-11-16T12:00:00+01:00\"}", &store,
                       &error) == OHK_OK,
            "demo", error);
    enum { thread_count = 2 };
    pthread_t threads[thread_count];
    for (int index = 0; index < thread_count; index++) pthread_create(&threads[index], NULL, use, store);
    for (int index = 0; index < thread_count; index++) pthread_join(threads[index], NULL);

    fail_within_stream(store);

    struct ArrowArrayStream received;
    const char *line = "{\"type\": \"bodyMass\", \"startDate\": \"2025-01-01T08:00:00Z\", \"quantity\": 70, \"unit\": \"kg\"}\n";
    require(receive(store, "{\"question\": \"samples\", \"type\": \"bodyMass\"}", line, &received, &error) == OHK_OK, "receive",
            error);
    received.release(&received);

    // A stream outlives its store.
    struct ArrowArrayStream last;
    require(open_stream(store, questions[0], &last, &error) == OHK_OK, "stream", error);
    close_store(store);
    struct ArrowArray array;
    require(last.get_next(&last, &array) == 0 && array.length > 0, "stream", "after the store was closed");
    last.release(&last);
    // A batch outlives its stream.
    array.release(&array);

    // A file that is imported into, and a sample that is added.
    char options[8192], archive[4096];
    snprintf(archive, sizeof archive, "%s/export.xml", arguments[2]);
    FILE *file = fopen(archive, "w");
    require(file != NULL, "archive", archive);
    fprintf(file, "<?xml version=\"1.0\"?><HealthData locale=\"en_US\"><ExportDate value=\"2025-01-01 00:00:00 +0000\"/>\n");
    for (int index = 0; index < 200; index++) {
        fprintf(file,
                "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Phone\" unit=\"count\" value=\"%d\" "
                "startDate=\"2024-01-01 08:%02d:%02d +0000\" endDate=\"2024-01-01 08:%02d:%02d +0000\"/>\n",
                index, index / 60, index % 60, index / 60, index % 60);
    }
    fprintf(file, "</HealthData>\n");
    fclose(file);
    snprintf(options, sizeof options, "{\"path\": \"%s/health.sqlite\", \"create\": true}", arguments[2]);
    require(open_store(options, &store, &error) == OHK_OK, "create", error);
    snprintf(options, sizeof options, "{\"path\": \"%s\"}", archive);
    int calls = 0;
    char *report = NULL;
    require(import_archive(store, options, observe, &calls, &report, &error) == OHK_OK, "import", error);
    require(calls > 0 && strstr(report, "\"added\":200") != NULL, "import", report);
    release_text(report);
    expect_error(import_archive(store, "{\"path\": \"/nowhere.zip\"}", NULL, NULL, &report, &error), OHK_NO_DATA, &error);
    char *answer = NULL;
    require(add(store,
                "[{\"type\": \"bodyMass\", \"startDate\": \"2025-01-01T08:00:00Z\", \"quantity\": 70, \"unit\": \"kg\"}]",
                &answer, &error) == OHK_OK,
            "add", error);
    release_text(answer);
    close_store(store);
    puts("done");
    return 0;
}
