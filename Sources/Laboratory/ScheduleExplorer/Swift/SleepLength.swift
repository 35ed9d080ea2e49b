/// How long a sleep was asked to last.
///
/// `Task.sleep(for:)` adds its duration to a real clock, and gives the executor the instant. Between reading the clock and
/// looking at the instant some real time passes, which must not get into a run. So the length is the roundest duration that
/// agrees with what is known: three digits, and no finer than a tenth of a millisecond.
struct SleepLength: Equatable {
  private static let finest: Int64 = 100_000
  private static let digits: Int64 = 1000

  let duration: Duration
  /// So much real time has passed that the length is not certain.
  let isDisturbed: Bool

  /// - Parameters:
  ///   - remaining: from now to the end of the sleep, in real time.
  ///   - elapsed: the real time in which the duration was added to the clock, up to now.
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
    // A sleep of centuries is one of a hundred years.
    let bounded = min(max(seconds, -1), 100 * 365 * 86_400)
    return bounded * 1_000_000_000 + (bounded == seconds ? attoseconds / 1_000_000_000 : 0)
  }
}
