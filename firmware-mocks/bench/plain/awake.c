/*
 * Keeps the processors awake: one thread for each, which runs only when nothing else wants the processor (SCHED_IDLE). On a
 * virtual machine a processor that falls asleep while a program waits for the disk is given to another machine, and comes back
 * with nothing in its caches; a kiosk's own processor does not. The same as the kernel's parameter idle=poll.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static void *spin(void *processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((long)processor, &one);
    struct sched_param none = {0};
    if (pthread_setaffinity_np(pthread_self(), sizeof one, &one) != 0
        || pthread_setschedparam(pthread_self(), SCHED_IDLE, &none) != 0) {
        fputs("awake: a processor cannot be kept awake\n", stderr);
        return NULL;
    }
    for (;;) {
#ifdef __x86_64__
        __builtin_ia32_pause();
#else
        __asm__ volatile("" ::: "memory");
#endif
    }
}

int main(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    for (long processor = 0; processor < processors; processor++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, spin, (void *)processor) != 0) return 1;
    }
    pause();
    return 0;
}
