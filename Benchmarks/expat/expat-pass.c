// Parses a file with expat and empty handlers: the baseline for the speed of imports.
//
//   cc -O2 -o expat-pass expat-pass.c -lexpat && ./expat-pass export.xml
//
// Prints the time in seconds and the number of elements, which proves that the file was parsed.
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void XMLCALL on_start(void *count, const XML_Char *name, const XML_Char **attributes) {
    (void)name;
    (void)attributes;
    ++*(long *)count;
}

static void XMLCALL on_end(void *count, const XML_Char *name) {
    (void)count;
    (void)name;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: expat-pass FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[1], "rb");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    setvbuf(file, NULL, _IONBF, 0);
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) {
        fprintf(stderr, "expat: out of memory\n");
        return 1;
    }
    long elements = 0;
    XML_SetUserData(parser, &elements);
    XML_SetElementHandler(parser, on_start, on_end);

    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (;;) {
        void *buffer = XML_GetBuffer(parser, 1 << 20);
        if (!buffer) {
            fprintf(stderr, "expat: out of memory\n");
            return 1;
        }
        size_t length = fread(buffer, 1, 1 << 20, file);
        if (ferror(file)) {
            perror(argv[1]);
            return 1;
        }
        int last = length == 0;
        if (XML_ParseBuffer(parser, (int)length, last) == XML_STATUS_ERROR) {
            fprintf(stderr, "expat: %s at line %lu\n", XML_ErrorString(XML_GetErrorCode(parser)),
                    (unsigned long)XML_GetCurrentLineNumber(parser));
            return 1;
        }
        if (last) break;
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    double seconds = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    printf("%.3f s, %ld elements\n", seconds, elements);
    XML_ParserFree(parser);
    fclose(file);
    return 0;
}
