#define _GNU_SOURCE
#include "Counts.h"

// On other platforms, C cannot reliably express the calling convention of the runtime's functions.
#if defined(__linux__) && defined(__x86_64__)

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// The runtime lets tools such as Instruments replace its functions: it exports pointers to them, and a flag that makes it
// call through the pointers. This file replaces the pointers once and then switches only the flag, so that a thread that does not
// count always finds a working function.

typedef void *(*retain)(void *);
typedef void (*release)(void *);
typedef void *(*retain_n)(void *, uint32_t);
typedef void (*release_n)(void *, uint32_t);

static retain runtime_retain, runtime_try_retain;
static release runtime_release;
static retain_n runtime_retain_n;
static release_n runtime_release_n;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool *replaced;

static void seen(void) {
  if (counting) counts.references += 1;
}

static void *counting_retain(void *object) {
  seen();
  return runtime_retain(object);
}

static void *counting_try_retain(void *object) {
  seen();
  return runtime_try_retain(object);
}

static void counting_release(void *object) {
  seen();
  runtime_release(object);
}

static void *counting_retain_n(void *object, uint32_t n) {
  seen();
  return runtime_retain_n(object, n);
}

static void counting_release_n(void *object, uint32_t n) {
  seen();
  runtime_release_n(object, n);
}

static void replace(void) {
  retain *retain_slot = dlsym(RTLD_DEFAULT, "_swift_retain");
  retain *try_retain_slot = dlsym(RTLD_DEFAULT, "_swift_tryRetain");
  release *release_slot = dlsym(RTLD_DEFAULT, "_swift_release");
  retain_n *retain_n_slot = dlsym(RTLD_DEFAULT, "_swift_retain_n");
  release_n *release_n_slot = dlsym(RTLD_DEFAULT, "_swift_release_n");
  bool *flag = dlsym(RTLD_DEFAULT, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly");
  if (!retain_slot || !try_retain_slot || !release_slot || !retain_n_slot || !release_n_slot || !flag) return;
  runtime_retain = *retain_slot;
  runtime_try_retain = *try_retain_slot;
  runtime_release = *release_slot;
  runtime_retain_n = *retain_n_slot;
  runtime_release_n = *release_n_slot;
  *retain_slot = counting_retain;
  *try_retain_slot = counting_try_retain;
  *release_slot = counting_release;
  *retain_n_slot = counting_retain_n;
  *release_n_slot = counting_release_n;
  replaced = flag;
}

bool heap_counters_see_references(void) {
  pthread_once(&once, replace);
  return replaced != NULL;
}

void references_hook(void) {
  if (heap_counters_see_references()) __atomic_store_n(replaced, true, __ATOMIC_RELAXED);
}

void references_unhook(void) {
  if (replaced) __atomic_store_n(replaced, false, __ATOMIC_RELAXED);
}

#else

bool heap_counters_see_references(void) { return false; }
void references_hook(void) {}
void references_unhook(void) {}

#endif
