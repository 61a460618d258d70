/*
 * What a sale's records cost without a database: the same bytes appended to a log of the size of SQLite's, in as many
 * writes, and fdatasync where the ledger flushes.
 *
 *     ledger_plain FILE COUNT BYTES[!],BYTES[!],... [PAUSE]
 *
 * "!" stands for a flush. PAUSE: microseconds that the program computes before each write, which are not counted: a disk that
 * was just used answers sooner, and no sale flushes as fast as an empty loop. Prints the median and the 99th percentile in
 * nanoseconds for one sale.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOG_BYTES = 1000 * 4120, MOST_STEPS = 32, LARGEST_STEP = 1 << 20 };

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* Something to do that a compiler does not leave out. */
static volatile unsigned computed;

static void compute(const char *block, int microseconds) {
    long long end = now() + microseconds * 1000LL;
    unsigned sum = computed;
    while (now() < end)
        for (int index = 0; index < 1024; index++) sum = sum * 31 + (unsigned char)block[(sum >> 8) % LARGEST_STEP];
    computed = sum;
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5) return 2;
    int count = atoi(argv[2]), pause = argc > 4 ? atoi(argv[4]) : 0, steps = 0;
    size_t bytes[MOST_STEPS];
    int flush[MOST_STEPS];
    for (char *next = argv[3]; *next && steps < MOST_STEPS; steps++) {
        bytes[steps] = strtoul(next, &next, 10);
        if (bytes[steps] > LARGEST_STEP) return 2;
        flush[steps] = *next == '!';
        if (*next == '!') next++;
        if (*next == ',') next++;
    }
    int file = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    char *block = malloc(LARGEST_STEP);
    long long *times = calloc(count > 0 ? count : 1, sizeof *times);
    if (file < 0 || !block || !times || count < 1) return 1;
    memset(block, 7, LARGEST_STEP);
    off_t end = 0;
    for (int warm = 0; warm < LOG_BYTES; warm += 4120)
        if (pwrite(file, block, 4120, warm) != 4120) return 1;
    if (fdatasync(file) != 0) return 1;
    for (int sale = 0; sale < count; sale++) {
        long long spent = 0;
        for (int step = 0; step < steps; step++) {
            if (pause > 0) compute(block, pause);
            long long start = now();
            if (end + (off_t)bytes[step] > LOG_BYTES) end = 0;
            if (pwrite(file, block, bytes[step], end) != (ssize_t)bytes[step]) return 1;
            end += bytes[step];
            if (flush[step] && fdatasync(file) != 0) return 1;
            spent += now() - start;
        }
        times[sale] = spent;
    }
    qsort(times, count, sizeof *times, ascending);
    printf("%lld %lld\n", times[count / 2], times[(long long)count * 99 / 100]);
    return 0;
}
