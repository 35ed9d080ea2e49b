import HeapCounters

/// Counts allocations, bytes and reference counting of a piece of work.
enum Heap {
  struct Counts {
    /// Nil if the platform does not report it. The same applies to the other counts.
    let allocations: Double?
    let bytes: Double?
    let references: Double?

    func divided(by times: Int) -> Counts {
      func mean(_ count: Double) -> Double { count / Double(times) }
      return Counts(allocations: allocations.map(mean), bytes: bytes.map(mean), references: references.map(mean))
    }
  }

  /// Counts only on this thread.
  static func counts(_ work: () -> Void) -> Counts {
    heap_counters_start()
    work()
    let counts = heap_counters_stop()
    let seesHeap = heap_counters_see_allocations()
    return Counts(
      allocations: seesHeap ? Double(counts.allocations) : nil,
      bytes: seesHeap ? Double(counts.bytes) : nil,
      references: heap_counters_see_references() ? Double(counts.references) : nil)
  }
}
