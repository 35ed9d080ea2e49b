/// One closure, or one job of a task, that a runtime was given: when it was enqueued and by whom, where and when it ran.
struct ClosureSpan: Sendable, Equatable {
  /// The label of the scheduler.
  let scheduler: String
  /// When it was enqueued, or for a timer, when the timer was set; since the run began.
  let enqueued: Duration
  /// When it could run at the earliest.
  let due: Duration
  /// The number of the closure that enqueued it; nil where that was none of the runtime's.
  let cause: Int?
  /// Which of the scheduler's threads it ran on, from zero. Always zero on a serial scheduler.
  var slot = 0
  /// Nil while it has not run.
  var begin: Duration?
  var end: Duration?

  /// From its beginning to its end; nil while it has none.
  var time: ClosedRange<Duration>? {
    guard let begin, let end else { return nil }
    return begin...end
  }
}
