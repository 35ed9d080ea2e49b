#pragma once

#include <stdbool.h>
#include <stdint.h>

/// What one thread did to the heap between start and stop.
typedef struct {
  /// Calls of malloc, calloc, realloc and their aligned relatives.
  int64_t allocations;
  /// Bytes allocated and not freed, as the allocator rounds them.
  int64_t bytes;
  /// Calls of swift_retain, swift_release and their relatives that count by n or try.
  int64_t references;
} HeapCounts;

/// Whether allocations are counted on this platform: with glibc they are.
bool heap_counters_see_allocations(void);

/// Whether reference counting is counted on this platform: with the Swift runtime's hooks on x86_64 Linux it is.
bool heap_counters_see_references(void);

/// Starts counting what the calling thread does. Not nested, and one thread at a time: the first that stops would stop the
/// reference counts of both.
///
/// Until it stops, no thread of the process may retain a string that is not on the heap: the detour of the runtime (6.3.1)
/// drops the bits that mark a small or a constant string, and then counts at an address that is none.
void heap_counters_start(void);

/// Stops counting, on the same thread.
HeapCounts heap_counters_stop(void);
