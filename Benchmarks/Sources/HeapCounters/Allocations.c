#include <stdlib.h>

#include "Counts.h"

#if defined(__GLIBC__)

// The malloc and free of the executable take precedence over those of the C library, for every loaded library.

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

bool heap_counters_see_allocations(void) { return true; }

static void *allocated(void *block) {
  if (counting && block) {
    counts.allocations += 1;
    counts.bytes += (int64_t)malloc_usable_size(block);
  }
  return block;
}

void *malloc(size_t size) { return allocated(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return allocated(__libc_calloc(count, size)); }

void *realloc(void *old, size_t size) {
  if (counting && old) counts.bytes -= (int64_t)malloc_usable_size(old);
  return allocated(__libc_realloc(old, size));
}

void *memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

void free(void *block) {
  if (counting && block) counts.bytes -= (int64_t)malloc_usable_size(block);
  __libc_free(block);
}

#else

bool heap_counters_see_allocations(void) { return false; }

#endif
