/*
 * A disk that takes longer to flush: LD_PRELOAD makes every fdatasync and fsync wait READERKIT_FLUSH_NANOSECONDS more
 * (500,000 unless told otherwise), asleep, after the flush of the real disk.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int flush(long call, int file) {
    if (syscall(call, file) != 0) return -1;
    const char *given = getenv("READERKIT_FLUSH_NANOSECONDS");
    struct timespec longer = {0, given ? atol(given) : 500000};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &longer, &longer) == EINTR) continue;
    return 0;
}

int fdatasync(int file) { return flush(SYS_fdatasync, file); }

int fsync(int file) { return flush(SYS_fsync, file); }
