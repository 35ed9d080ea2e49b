/// How many schedules, and how much time, are left.
struct Budget {
  /// The clock is asked only so often.
  private static let interval = 64

  private var schedules: Int
  private let deadline: ContinuousClock.Instant?
  private let isStopped: (@Sendable () -> Bool)?
  private var isOver = false

  init(schedules: Int, time: Duration?, isStopped: (@Sendable () -> Bool)? = nil) {
    self.schedules = schedules
    self.isStopped = isStopped
    deadline = time.map { .now + $0 }
  }

  var left: Int { isOver ? 0 : max(0, schedules) }

  /// Takes one schedule; false if there is none.
  mutating func take() -> Bool {
    guard left > 0 else { return false }
    let isLate = deadline.map { schedules.isMultiple(of: Self.interval) && .now >= $0 } ?? false
    if isLate || isStopped?() == true {
      isOver = true
      return false
    }
    schedules -= 1
    return true
  }
}
