/* Counts allocations of the program it is preloaded into, and prints the sum at the end on standard error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_long allocations;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { atomic_fetch_add(&allocations, 1); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { atomic_fetch_add(&allocations, 1); return __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { atomic_fetch_add(&allocations, 1); return __libc_realloc(p, size); }
int posix_memalign(void **p, size_t alignment, size_t size) {
    atomic_fetch_add(&allocations, 1);
    *p = __libc_memalign(alignment, size);
    return *p == NULL ? 12 : 0;
}

__attribute__((destructor)) static void report(void) { fprintf(stderr, "allocations %ld\n", atomic_load(&allocations)); }
