// Definitions of runtime and library functions that precede the real ones in the dynamic symbol table. While the calling
// thread runs explored code, each of them first calls the explorer. On any other thread, it only calls the real function.
//
// A definition is weak, so that a static standard library still links. Its own definitions then win, and the explorer
// finds that the hooks are dead. Under the thread sanitizer, they would replace its interceptors.
#if defined(__linux__) && !__has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include "ExplorerHooks.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HOOK __attribute__((weak))
#define SWIFT __attribute__((swiftcall))
#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))
#define SELF __attribute__((swift_context))
#define RESULT __attribute__((swift_indirect_result))

typedef ASYNC void (*Resume)(CONTEXT void *);
typedef ASYNC void (*Switch)(CONTEXT void *, Resume, uintptr_t, uintptr_t);
typedef struct { uintptr_t identity, implementation; } Executor;

extern SWIFT Executor swift_task_getCurrentExecutor(void);
extern SWIFT void *swift_task_getCurrent(void);
extern SWIFT void *swift_task_alloc(size_t size);
extern SWIFT void swift_task_dealloc(void *memory);

// The calls into the explorer. The first two may run other items on other threads before they return.

/// A point at which the running item can be interrupted. A hop passes where its task resumes.
extern void explorer_point(const void *resume, const void *context);
/// The running item needs a lock that another item holds. Returns whether the caller should try again.
extern int explorer_blocked(const void *lock);

/// Schedules a block for the main queue, after a delay unless it is negative. Returns whether it has taken the block.
extern int explorer_dispatch(void *block, int64_t delay);
/// The running item starts work that the explorer does not order.
extern void explorer_outside(const char *call);

/// Gives the explorer its calls into this file.
extern void explorer_register(int isLive, int (*enter)(int inside), void (*begin)(void), void (*arm)(int mode),
                              void (*setTime)(int64_t nanoseconds), void (*runBlock)(void *block),
                              void (*beginRun)(uint32_t randomSeed), int (*hasDrawn)(void));

/// Whether this thread runs explored code.
static __thread int inside;
/// The number of items that this thread has begun.
static __thread long item;
/// Whether a search runs, or noise mode, in which every thread runs explored code.
static int armed;
enum { off, searching, noise };

static inline int active(void) { return armed == searching ? inside : armed == noise; }

/// The number of calls from explored code into the explorer on this thread.
static __thread long calls;

static int enter(int now) {
  int before = inside;
  if (before && !now) calls++;
  inside = now;
  return before;
}

static __thread int reads;

static void begin(void) {
  inside = 1;
  item++;
  reads = 0;
}

static void point(const void *resume, const void *context) {
  int before = enter(0);
  explorer_point(resume, context);
  inside = before;
}

// Hops between actors.

static Switch real_switch;

/// The frame of a hop, laid out like any async context.
struct Hop {
  void *parent;
  Resume resume;
  long item;
};

/// Runs where a task has arrived. If the hop led through a queue, the arrival already was a choice.
static ASYNC void arrived(CONTEXT void *context) {
  struct Hop hop = *(struct Hop *)context;
  swift_task_dealloc(context);
  if (active() && hop.item == item) point((const void *)hop.resume, hop.parent);
  return hop.resume(hop.parent);
}

HOOK ASYNC void swift_task_switch(CONTEXT void *context, Resume resume, uintptr_t identity, uintptr_t implementation) {
  if (active()) {
    Executor now = swift_task_getCurrentExecutor();
    if (now.identity != identity) {
      // The runtime acquires the new actor before it leaves the old one, so a task waits before the switch.
      if (identity) point((const void *)resume, context);
      // A default actor is free after the switch, while the rest of the task has yet to run.
      if (now.identity && !now.implementation) {
        struct Hop *hop = swift_task_alloc(sizeof(struct Hop));
        *hop = (struct Hop){context, resume, item};
        return real_switch(hop, arrived, identity, implementation);
      }
    }
  }
  return real_switch(context, resume, identity, implementation);
}

// Starts and resumes. The explorer receives a job on its way to an executor, and interrupts there. A running actor's queue
// takes the job without an executor.

typedef struct { void *task, *context; } Created;
enum { task_is_enqueued = 1 << 12 };

HOOK SWIFT Created swift_task_create(size_t flags, void *options, void *type, void *function, void *closure) {
  static SWIFT Created (*real)(size_t, void *, void *, void *, void *);
  if (!real) real = (SWIFT Created (*)(size_t, void *, void *, void *, void *))dlsym(RTLD_NEXT, "swift_task_create");
  long before = calls;
  Created created = real(flags, options, type, function, closure);
  if (active() && calls == before && flags & task_is_enqueued) point(0, 0);
  return created;
}

// A continuation is its task. One that resumes before its task has suspended affects no other.
#define RESUME(name) \
  HOOK SWIFT void name(void *task, void *error) { \
    static SWIFT void (*real)(void *, void *); \
    if (!real) real = (SWIFT void (*)(void *, void *))dlsym(RTLD_NEXT, #name); \
    long before = calls; \
    int isOther = task != swift_task_getCurrent(); \
    real(task, error); \
    if (active() && isOther && calls == before) point(0, 0); \
  }
RESUME(swift_continuation_resume)
RESUME(swift_continuation_throwingResume)
RESUME(swift_continuation_throwingResumeWithError)

// Cancellation, and the end of a stream. Other tasks see them at once, so there is a point before them as well. A method
// may receive its task in the register for `self`.

#define AROUND(name, symbol) CALL(name, symbol, if (active()) point(0, 0))
#define AFTER(name, symbol) CALL(name, symbol, )
#define CALL(name, symbol, before) \
  HOOK SWIFT void name(void *a, void *b, void *c, void *d, SELF void *self) __asm__(symbol); \
  SWIFT void name(void *a, void *b, void *c, void *d, SELF void *self) { \
    static SWIFT void (*real)(void *, void *, void *, void *, SELF void *); \
    if (!real) real = (SWIFT void (*)(void *, void *, void *, void *, SELF void *))dlsym(RTLD_NEXT, symbol); \
    before; \
    real(a, b, c, d, self); \
    if (active()) point(0, 0); \
  }
AROUND(task_cancel, "$sScT6cancelyyF")
AROUND(group_cancel, "$sScG9cancelAllyyF")
AROUND(throwing_group_cancel, "$sScg9cancelAllyyF")
AROUND(discarding_group_cancel, "$ss19DiscardingTaskGroupV9cancelAllyyF")
AROUND(throwing_discarding_group_cancel, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")
AROUND(current_task_cancel, "$sSct6cancelyyF")
AROUND(finish, "$sScS12ContinuationV6finishyyF")
AROUND(finish_throwing, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF")

// The first part of an immediate task runs before this function returns.
AFTER(immediate, "swift_task_immediate")

// The end of the scope of an async let, which cancels the child.

typedef ASYNC void (*Finish)(CONTEXT void *, void *, void *, Resume, void *);

HOOK ASYNC void swift_asyncLet_finish(CONTEXT void *context, void *child, void *buffer, Resume resume, void *frame) {
  static Finish real;
  if (!real) real = (Finish)dlsym(RTLD_NEXT, "swift_asyncLet_finish");
  if (active()) point((const void *)resume, context);
  return real(context, child, buffer, resume, frame);
}

// Streams. A value may go into the buffer, so that no task resumes. While the stream works, the job is not interrupted.

#define YIELD(name, symbol) \
  HOOK SWIFT void name(RESULT void *result, void *a, void *b, void *c, SELF void *self) __asm__(symbol); \
  SWIFT void name(RESULT void *result, void *a, void *b, void *c, SELF void *self) { \
    static SWIFT void (*real)(RESULT void *, void *, void *, void *, SELF void *); \
    if (!real) real = (SWIFT void (*)(RESULT void *, void *, void *, void *, SELF void *))dlsym(RTLD_NEXT, symbol); \
    int before = inside; \
    if (armed == searching) inside = 0; \
    real(result, a, b, c, self); \
    inside = before; \
    if (active()) point(0, 0); \
  }
YIELD(yield_value, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF")
YIELD(yield_with, "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF")
YIELD(throwing_yield_value, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF")
YIELD(throwing_yield_with, "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF")

// Reads of a stream. If a value is in the buffer, the call takes it without suspending the task.

typedef ASYNC void (*Next)(CONTEXT void *, void *, void *, void *, void *, void *, void *, SELF void *);
typedef ASYNC void (*Return)(CONTEXT void *, SELF void *);

/// The frame of a read, laid out like any async context, and the context of the call itself.
struct Read {
  void *parent;
  Return resume;
  long item;
};

/// Runs after the call. If the task was suspended, its resumption already was a choice.
static ASYNC void has_read(CONTEXT void *context, SELF void *error) {
  struct Read *call = context, *frame = call->parent, read = *frame;
  call->parent = read.parent;
  call->resume = read.resume;
  swift_task_dealloc(frame);
  if (active() && read.item == item) point((const void *)read.resume, read.parent);
  return read.resume(context, error);
}

#define NEXT(name, symbol) \
  HOOK ASYNC void name(CONTEXT void *context, void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self) \
      __asm__(symbol); \
  ASYNC void name(CONTEXT void *context, void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self) { \
    static Next real; \
    if (!real) real = (Next)dlsym(RTLD_NEXT, symbol); \
    if (active()) { \
      struct Read *call = context, *frame; \
      point((const void *)call->resume, call->parent); \
      frame = swift_task_alloc(sizeof(struct Read)); \
      *frame = (struct Read){call->parent, call->resume, item}; \
      call->parent = frame; \
      call->resume = has_read; \
    } \
    return real(context, a, b, c, d, e, f, self); \
  }
NEXT(next, "$sScS8IteratorV4nextxSgyYaF")
NEXT(next_isolated, "$sScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF")
NEXT(throwing_next, "$sScs8IteratorV4nextxSgyYaKF")
NEXT(throwing_next_isolated, "$sScs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF")

#define IS_CANCELLED "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ"
HOOK SWIFT char task_is_cancelled(void) __asm__(IS_CANCELLED);
SWIFT char task_is_cancelled(void) {
  static SWIFT char (*real)(void);
  if (!real) real = (SWIFT char (*)(void))dlsym(RTLD_NEXT, IS_CANCELLED);
  if (active()) point(0, 0);
  char result = real();
  if (active()) point(0, 0);
  return result;
}

#define READ(name, symbol) \
  HOOK SWIFT char name(void *a, void *b, void *c, SELF void *self) __asm__(symbol); \
  SWIFT char name(void *a, void *b, void *c, SELF void *self) { \
    static SWIFT char (*real)(void *, void *, void *, SELF void *); \
    if (!real) real = (SWIFT char (*)(void *, void *, void *, SELF void *))dlsym(RTLD_NEXT, symbol); \
    if (active()) point(0, 0); \
    char result = real(a, b, c, self); \
    if (active()) point(0, 0); \
    return result; \
  }
// The compiler inlines the getter of `Task`.
READ(other_task_is_cancelled, "swift_task_isCancelled")
READ(current_task_is_cancelled, "$sSct11isCancelledSbvg")
READ(group_is_cancelled, "$sScG11isCancelledSbvg")
READ(throwing_group_is_cancelled, "$sScg11isCancelledSbvg")

// A cancellation handler. The runtime removes it after the operation, in the same job.

/// How a closure refers to its function.
typedef struct { int32_t offset; uint32_t size; } AsyncPointer;

/// The frame of the call, laid out like any async context, and the closure that stands for the operation.
struct Handled {
  void *parent;
  Return resume;
  AsyncPointer *operation;
  void *closure;
};

static ASYNC void has_handled(CONTEXT void *context, SELF void *error) {
  struct Read *call = context;
  struct Handled *frame = call->parent;
  call->parent = frame->parent;
  call->resume = frame->resume;
  swift_task_dealloc(frame);
  return call->resume(context, error);
}

static ASYNC void operation_ended(CONTEXT void *context, SELF void *error) {
  struct Read *call = ((struct Read *)context)->parent;
  swift_task_dealloc(context);
  if (active()) point((const void *)call->resume, call->parent);
  return call->resume(call, error);
}

static ASYNC void operate(CONTEXT void *context, void *result, SELF void *closure) {
  struct Handled *frame = closure;
  if (active()) point((const void *)frame->resume, frame->parent);
  struct Read *call = swift_task_alloc(frame->operation->size);
  call->parent = context;
  call->resume = operation_ended;
  ASYNC void (*function)(CONTEXT void *, void *, SELF void *) =
      (ASYNC void (*)(CONTEXT void *, void *, SELF void *))((char *)frame->operation + frame->operation->offset);
  return function(call, result, frame->closure);
}

static AsyncPointer operate_pointer = {0, 16};

#define WITH_HANDLER "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF"
typedef ASYNC void (*WithHandler)(
    CONTEXT void *, void *, void *, void *, void *, void *, void *, void *, void *, SELF void *);
HOOK ASYNC void with_handler(
    CONTEXT void *context, void *result, void *operation, void *closure, void *c, void *d, void *e, void *f, void *g,
    SELF void *self) __asm__(WITH_HANDLER);
ASYNC void with_handler(
    CONTEXT void *context, void *result, void *operation, void *closure, void *c, void *d, void *e, void *f, void *g,
    SELF void *self) {
  static WithHandler real;
  if (!real) real = (WithHandler)dlsym(RTLD_NEXT, WITH_HANDLER);
  if (active()) {
    struct Read *call = context;
    point((const void *)call->resume, call->parent);
    struct Handled *frame = swift_task_alloc(sizeof(struct Handled));
    *frame = (struct Handled){call->parent, call->resume, operation, closure};
    call->parent = frame;
    call->resume = has_handled;
    operation = &operate_pointer;
    closure = frame;
  }
  return real(context, result, operation, closure, c, d, e, f, g, self);
}

// A throwing group. The runtime cancels the children in the job in which the body throws.

static ASYNC void body_ended(CONTEXT void *context, SELF void *error) {
  struct Read *call = ((struct Read *)context)->parent;
  swift_task_dealloc(context);
  if (error && active()) point((const void *)call->resume, call->parent);
  return call->resume(call, error);
}

static ASYNC void run_body(CONTEXT void *context, void *result, void *group, SELF void *closure) {
  struct Handled *frame = closure;
  struct Read *call = swift_task_alloc(frame->operation->size);
  call->parent = context;
  call->resume = body_ended;
  ASYNC void (*function)(CONTEXT void *, void *, void *, SELF void *) =
      (ASYNC void (*)(CONTEXT void *, void *, void *, SELF void *))((char *)frame->operation + frame->operation->offset);
  return function(call, result, group, frame->closure);
}

static AsyncPointer body_pointer = {0, 16};

#define THROWING_GROUP \
  "$ss21withThrowingTaskGroup2of9returning9isolation4bodyq_xm_q_mScA_pSgYiq_Scgyxs5Error_pGzYaKXEtYaKs8SendableRzr0_lF"
typedef ASYNC void (*WithGroup)(
    CONTEXT void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, SELF void *);
HOOK ASYNC void with_group(
    CONTEXT void *context, void *result, void *a, void *b, void *c, void *d, void *body, void *closure, void *e, void *f,
    SELF void *self) __asm__(THROWING_GROUP);
ASYNC void with_group(
    CONTEXT void *context, void *result, void *a, void *b, void *c, void *d, void *body, void *closure, void *e, void *f,
    SELF void *self) {
  static WithGroup real;
  if (!real) real = (WithGroup)dlsym(RTLD_NEXT, THROWING_GROUP);
  if (active()) {
    struct Read *call = context;
    struct Handled *frame = swift_task_alloc(sizeof(struct Handled));
    *frame = (struct Handled){call->parent, call->resume, body, closure};
    call->parent = frame;
    call->resume = has_handled;
    body = &body_pointer;
    closure = frame;
  }
  return real(context, result, a, b, c, d, body, closure, e, f, self);
}

#define CHECK_CANCELLATION "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ"
HOOK SWIFT void task_check_cancellation(SELF void *self, __attribute__((swift_error_result)) void **error)
    __asm__(CHECK_CANCELLATION);
SWIFT void task_check_cancellation(SELF void *self, __attribute__((swift_error_result)) void **error) {
  static SWIFT void (*real)(SELF void *, __attribute__((swift_error_result)) void **);
  if (!real) {
    real = (SWIFT void (*)(SELF void *, __attribute__((swift_error_result)) void **))dlsym(
        RTLD_NEXT, CHECK_CANCELLATION);
  }
  if (active()) point(0, 0);
  real(self, error);
  if (active()) point(0, 0);
}

// Random numbers. The standard library gets them from the system. Explored code gets those of a sequence that the search
// chooses, so that a schedule that is repeated draws them again.

static uint64_t sequence;
static int drawn;

static uint64_t scatter(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

static long draw(unsigned char *buffer, long size) {
  uint64_t value = 0;
  for (long i = 0; i < size; i++) {
    if (i % 8 == 0) value = scatter(sequence += 0x9e3779b97f4a7c15);
    buffer[i] = (unsigned char)(value >> i % 8 * 8);
  }
  drawn = 1;
  return size;
}

static int has_drawn(void) { return drawn; }

// Locks. An interrupted item may hold a lock. An item that needs this lock waits outside the ready set.

static long (*real_syscall)(long, ...);
static int (*real_mutex_lock)(pthread_mutex_t *);

HOOK long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_getrandom && inside && armed == searching) return draw((unsigned char *)a[0], a[1]);
  if (!real_syscall) real_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  if (number == SYS_futex && inside && armed == searching && (a[1] & FUTEX_CMD_MASK) == FUTEX_LOCK_PI) {
    uint32_t *word = (uint32_t *)a[0], thread = (uint32_t)real_syscall(SYS_gettid);
    for (;;) {
      uint32_t zero = 0;
      if (__atomic_compare_exchange_n(word, &zero, thread, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
      int before = enter(0), again = explorer_blocked(word);
      inside = before;
      if (!again) break;
    }
  }
  return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

HOOK int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!real_mutex_lock) real_mutex_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  if (inside && armed == searching) {
    for (;;) {
      int result = pthread_mutex_trylock(mutex);
      if (result != EBUSY) return result;
      int before = enter(0), again = explorer_blocked(mutex);
      inside = before;
      if (!again) break;
    }
  }
  return real_mutex_lock(mutex);
}

// Dispatch and threads. A block for the main queue is an item. The search does not order any other work.

extern void *_Block_copy(const void *) __attribute__((weak));
extern void _Block_release(const void *) __attribute__((weak));
extern uint64_t dispatch_time(uint64_t base, int64_t delay) __attribute__((weak));
extern struct dispatch_queue_s { char opaque; } _dispatch_main_q __attribute__((weak));
struct Block {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
};

static void run_block(void *block) {
  ((struct Block *)block)->invoke(block);
  _Block_release(block);
}

/// Returns whether the explorer has taken the block.
static int taken(void *queue, void *block, int64_t delay, const char *call) {
  int before = enter(0), isTaken = 0;
  if (queue == (void *)&_dispatch_main_q && _Block_copy) {
    void *copy = _Block_copy(block);
    isTaken = explorer_dispatch(copy, delay);
    if (!isTaken) _Block_release(copy);
  } else {
    explorer_outside(call);
  }
  inside = before;
  return isTaken;
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

HOOK void dispatch_async(void *queue, void *block) {
  REAL(void, dispatch_async, void *, void *);
  if (inside && armed == searching && taken(queue, block, -1, "DispatchQueue.async")) return;
  real(queue, block);
}

HOOK void dispatch_after(uint64_t when, void *queue, void *block) {
  REAL(void, dispatch_after, uint64_t, void *, void *);
  if (inside && armed == searching && dispatch_time) {
    // Both times are of the virtual clock.
    int64_t delay = (int64_t)(when - dispatch_time(0, 0));
    if (taken(queue, block, delay < 0 ? 0 : delay, "DispatchQueue.asyncAfter")) return;
    int before = enter(0);
    when = dispatch_time(0, delay);
    inside = before;
  }
  real(when, queue, block);
}

HOOK int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (inside && armed == searching) {
    int before = enter(0);
    explorer_outside("a thread");
    inside = before;
  }
  return real(thread, attributes, start, argument);
}

// Clocks. Explored code reads the time at which the search began, plus the virtual time of the run.

static int (*real_clock)(clockid_t, struct timespec *);
static int64_t starts[16];
static int64_t now, skew;
/// The number of reads in one item after which each further read advances the clock, so that a loop until a time ends.
enum { most_reads = 10000 };

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * 1000000000ll + time.tv_nsec; }

static int is_virtual(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME
      || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
}

HOOK int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_clock) real_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  if (!inside || armed != searching || !is_virtual(clock)) return real_clock(clock, time);
  if (++reads > most_reads) skew += 1000000;
  int64_t value = starts[clock] + now + skew;
  *time = (struct timespec){value / 1000000000, value % 1000000000};
  return 0;
}

// A thread that sleeps also takes virtual time, or a loop that sleeps until a time would not end.
HOOK int nanosleep(const struct timespec *time, struct timespec *rest) {
  REAL(int, nanosleep, const struct timespec *, struct timespec *);
  int result = real(time, rest);
  if (inside && armed == searching) skew += nanoseconds(*time);
  return result;
}

static void set_time(int64_t time) { now = time; }

static void begin_run(uint32_t random_seed) {
  now = skew = drawn = 0;
  sequence = scatter(random_seed);
}

static void arm(int mode) {
  if (mode == searching) {
    for (clockid_t clock = 0; clock < 16; clock++) {
      struct timespec time = {0, 0};
      if (is_virtual(clock) && !real_clock) clock_gettime(clock, &time);
      if (is_virtual(clock)) real_clock(clock, &time);
      starts[clock] = nanoseconds(time);
    }
  }
  armed = mode;
}

__attribute__((constructor)) static void start(void) {
  real_switch = (Switch)dlsym(RTLD_NEXT, "swift_task_switch");
  operate_pointer.offset = (int32_t)((char *)operate - (char *)&operate_pointer);
  body_pointer.offset = (int32_t)((char *)run_body - (char *)&body_pointer);
  explorer_register(real_switch != 0, enter, begin, arm, set_time, run_block, begin_run, has_drawn);
}
#endif
