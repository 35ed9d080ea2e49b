/// The requested length of a sleep.
///
/// `Task.sleep(for:)` adds its duration to the time of a real clock, and passes the resulting instant to the executor.
/// Real time passes between reading the clock and reading the instant, and must not affect a run. The length is
/// therefore the roundest duration that is consistent with the measurements. It has at most three digits, and its
/// smallest unit is 0.1 ms.
struct SleepLength: Equatable {
  private static let finest: Int64 = 100_000
  private static let digits: Int64 = 1000

  let duration: Duration
  /// Whether too much real time has passed to determine the length.
  let isDisturbed: Bool

  /// - Parameters:
  ///   - remaining: the real time from now to the end of the sleep.
  ///   - elapsed: the real time since the duration was added to the clock.
  init(remaining: Duration, elapsed: Duration) {
    let (least, most) = (Self.nanoseconds(remaining), Self.nanoseconds(remaining + elapsed))
    guard least > 0 else {
      duration = .zero
      isDisturbed = most > Self.finest
      return
    }
    var unit = Self.finest
    while most / unit >= Self.digits { unit *= 10 }
    isDisturbed = most - least > unit
    var coarse = unit
    while most / coarse >= 10 { coarse *= 10 }
    while coarse > unit, most / coarse * coarse < least { coarse /= 10 }
    let rounded = most / coarse * coarse
    duration = .nanoseconds(rounded >= least && rounded > 0 ? rounded : (least + unit - 1) / unit * unit)
  }

  private static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    // A sleep of more than a hundred years counts as a hundred years.
    let bounded = min(max(seconds, -1), 100 * 365 * 86_400)
    return bounded * 1_000_000_000 + (bounded == seconds ? attoseconds / 1_000_000_000 : 0)
  }
}
