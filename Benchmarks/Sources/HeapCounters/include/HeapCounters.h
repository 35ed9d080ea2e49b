#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The heap operations of one thread between start and stop.
typedef struct {
  /// Calls of malloc, calloc, realloc and their aligned variants.
  int64_t allocations;
  /// Bytes allocated and not freed, as the allocator rounds them.
  int64_t bytes;
  /// Calls of swift_retain, swift_release and their variants that count by n or try.
  int64_t references;
} HeapCounts;

/// Whether this platform counts allocations: with glibc it does.
bool heap_counters_see_allocations(void);

/// Whether this platform counts retains and releases: with the Swift runtime's hooks on x86_64 Linux it does.
bool heap_counters_see_references(void);

/// Starts counting on the calling thread. Do not nest calls, and count on one thread at a time: the first stop would end the
/// reference counts of both threads.
///
/// Until it stops, no thread of the process may retain a string that is not on the heap. The hooks of the runtime (6.3.1) drop the
/// bits that mark a small or constant string, and then count at an invalid address.
void heap_counters_start(void);

/// Stops counting, on the same thread.
HeapCounts heap_counters_stop(void);
