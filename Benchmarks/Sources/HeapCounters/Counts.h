#pragma once

#include "HeapCounters.h"

/// The counts of the calling thread. They run only while `counting` is true.
extern _Thread_local HeapCounts counts;
extern _Thread_local bool counting;

/// Makes the Swift runtime call the counting functions, or its own functions again.
void references_hook(void);
void references_unhook(void);
