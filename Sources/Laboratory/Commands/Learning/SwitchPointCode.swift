import Foundation

/// C code that gives the attempt points at which the search can interrupt the learner's code.
///
/// The compiler replaces each atomic operation of the learner's file by a call, as it does for the thread sanitizer. The
/// C code contains the called functions, in place of the sanitizer's. Nothing that the learner's file declares affects
/// the calls.
enum SwitchPointCode {
  /// The options with which the compiler calls a function for each atomic operation, and for no other memory access.
  /// Only the frontend receives them, so that the sanitizer is not linked.
  static let options =
    ["-Xfrontend", "-sanitize=thread"]
    + ["instrument-memory-accesses", "instrument-func-entry-exit", "instrument-memintrinsics", "handle-cxx-exceptions"]
    .flatMap { ["-Xllvm", "-tsan-\($0)=false"] }

  /// Writes the C code into a folder, and returns the options with which the linker compiles it.
  static func write(to folder: URL) throws -> [String] {
    let file = folder.appending(path: "points.c")
    try Data(code.utf8).write(to: file)
    return ["-Xclang-linker", file.path]
  }

  private static let code = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <pthread.h>
    #include <stdint.h>
    #include <sys/syscall.h>
    #include <time.h>
    #include <unistd.h>

    // The stage has these functions.
    extern void lesson_point(void);
    extern int lesson_blocked(const void *lock);

    // The image of the executable, with the caches of the compiler. A read or a change of a cache is no point.
    extern char __executable_start[], _end[];
    static void touch(const volatile void *a) {
      if ((const char *)a < __executable_start || (const char *)a >= _end) lesson_point();
    }

    // A fetch operation with a name of the sanitizer. The order of the memory accesses is as strict as possible.
    #define FETCH(bits, type, name) \
      type __tsan_atomic##bits##_fetch_##name(volatile type *a, type v, int order) { \
        lesson_point(); \
        return __atomic_fetch_##name(a, v, __ATOMIC_SEQ_CST); \
      }
    #define ATOMIC(bits, type) \
      type __tsan_atomic##bits##_load(const volatile type *a, int order) { \
        touch(a); \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST); \
      } \
      void __tsan_atomic##bits##_store(volatile type *a, type v, int order) { \
        touch(a); \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST); \
      } \
      type __tsan_atomic##bits##_exchange(volatile type *a, type v, int order) { \
        lesson_point(); \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST); \
      } \
      FETCH(bits, type, add) FETCH(bits, type, sub) FETCH(bits, type, and) FETCH(bits, type, or) FETCH(bits, type, xor)
    #define COMPARE(bits, type) \
      type __tsan_atomic##bits##_compare_exchange_val(volatile type *a, type c, type v, int order, int failure) { \
        lesson_point(); \
        __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return c; \
      }
    ATOMIC(8, uint8_t) COMPARE(8, uint8_t)
    ATOMIC(16, uint16_t) COMPARE(16, uint16_t)
    ATOMIC(32, uint32_t)
    ATOMIC(64, uint64_t) COMPARE(64, uint64_t)

    // A Mutex is a word with the ID of the thread that holds it. An item waits for it outside the ready set.
    uint32_t __tsan_atomic32_compare_exchange_val(volatile uint32_t *a, uint32_t c, uint32_t v, int order, int failure) {
      static __thread uint32_t thread;
      if (!thread) thread = (uint32_t)syscall(SYS_gettid);
      int acquires = c == 0 && v == thread, releases = c == thread && v == 0;
      if (!releases) lesson_point();
      while (acquires && *a && (*a & 0x3fffffff) != thread && lesson_blocked((const void *)a)) {}
      __atomic_compare_exchange_n(a, &c, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
      if (releases) lesson_point();
      return c;
    }

    // One item runs at a time, so these need no atomic instructions.
    typedef unsigned __int128 wide;
    wide __tsan_atomic128_load(const volatile wide *a, int order) { lesson_point(); return *a; }
    void __tsan_atomic128_store(volatile wide *a, wide v, int order) { lesson_point(); *a = v; }
    wide __tsan_atomic128_exchange(volatile wide *a, wide v, int order) {
      lesson_point();
      wide old = *a;
      *a = v;
      return old;
    }
    wide __tsan_atomic128_compare_exchange_val(volatile wide *a, wide c, wide v, int order, int failure) {
      lesson_point();
      wide old = *a;
      if (old == c) *a = v;
      return old;
    }
    void __tsan_atomic_thread_fence(int order) {}
    void __tsan_atomic_signal_fence(int order) {}

    // The sanitizer's other functions have no effect.
    void __tsan_init(void) {}
    void __tsan_func_entry(void *caller) {}
    void __tsan_func_exit(void) {}
    void __tsan_ignore_thread_begin(void) {}
    void __tsan_ignore_thread_end(void) {}
    void __tsan_external_read(void *a, void *caller, void *tag) {}
    void __tsan_external_write(void *a, void *caller, void *tag) {}
    void *__tsan_external_register_tag(const char *type) { return 0; }
    void __tsan_external_assign_tag(void *a, void *tag) {}

    // An item may be interrupted in a cancellation handler, while the Swift runtime holds a lock of the task. Other
    // holders of a lock are not items, and release it soon.
    int pthread_mutex_lock(pthread_mutex_t *mutex) {
      static int (*real)(pthread_mutex_t *);
      static __thread int is_inside;
      if (!real) real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
      for (int i = 0; !is_inside; i++) {
        int result = pthread_mutex_trylock(mutex);
        if (result != EBUSY) return result;
        if (i < 40) {
          nanosleep(&(struct timespec){0, 50000}, 0);
        } else {
          is_inside = 1;
          int again = lesson_blocked(mutex);
          is_inside = 0;
          if (!again) break;
        }
      }
      return real(mutex);
    }
    """#
}
