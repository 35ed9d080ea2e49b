#include "Counts.h"

_Thread_local HeapCounts counts;
_Thread_local bool counting;

void heap_counters_start(void) {
  counts = (HeapCounts){0};
  references_hook();
  counting = true;
}

HeapCounts heap_counters_stop(void) {
  counting = false;
  references_unhook();
  return counts;
}
