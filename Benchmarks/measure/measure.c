// Runs a program and prints its wall-clock, user and system time in seconds, peak resident memory in bytes, and exit
// status.
//
//   measure OUTPUT PROGRAM [ARGUMENT…]
//
// The program's output goes to OUTPUT. This program is small on purpose: Linux includes the memory of a process before
// exec in its peak, so that a large parent would distort the result.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: measure OUTPUT PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 1;
    }
    if (child == 0) {
        int output = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (output < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) _exit(126);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage used;
    while (wait4(child, &status, 0, &used) < 0) {
        if (errno != EINTR) {
            perror("wait4");
            return 1;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &after);
    double wall = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    printf("%.6f %.6f %.6f %ld %d\n", wall, seconds(used.ru_utime), seconds(used.ru_stime),
           used.ru_maxrss * 1024L, code);
    return 0;
}
