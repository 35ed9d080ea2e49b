/// Keeps the sleeps of an explored test in order with all other delays.
///
/// A test sleeps to wait until everything else has happened. Under `Timing.any`, other delays end in any order among
/// themselves. But those that are due before the test's sleep end before it, and later ones end after it.
extension RunQueue {
  /// The time at which a delay ends.
  ///
  /// If delays end out of order, the clock is ahead of some chains of events. Such a chain continues at the time that it
  /// would have reached by itself. Otherwise, its next delay would seem to end after the test's sleep.
  func due(after delay: Duration, _ kind: ReadyItem.Kind) -> Duration {
    guard settles, timing != .exact else { return now + delay }
    return (kind == .settling ? testTime : current.nominal) + delay
  }

  /// The number of completions that are due before the end of the test's own sleep, or all if the test does not sleep.
  /// After a sleep, later ones stay closed until the test waits again.
  var openBeforeSettling: Int {
    let sleeps = timers.entries.lazy.filter { items[$0.slot].kind == .settling && items[$0.slot].waits(as: $0) }
    let limits = [sleeps.map(\.due).min(), settledUntil].compactMap(\.self)
    guard let limit = limits.min() else { return completions.count }
    return completions.prefix { $0.due <= limit }.count
  }

  /// Whether this timer is the test's own sleep, and other work comes first.
  func waitsToSettle(_ timer: TimerHeap.Entry) -> Bool {
    items[timer.slot].kind == .settling && !(ready.isEmpty && open == 0)
  }
}
