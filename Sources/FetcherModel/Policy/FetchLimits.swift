/// How much a fetch may take: bytes, time, attempts, company.
public struct FetchLimits: Sendable, Equatable {
  /// The longest body in bytes, unpacked; a longer one is `tooLarge`. Tested while it streams where the strategy reports
  /// progress, and bounds what the model keeps; Foundation may hold some more until it heeds the cancel. `blocking` has the
  /// whole body in memory before.
  public var maximumBytes: Int
  /// The time from the start of a request to its end, further attempts and the waits before them included; waiting for
  /// a permit of ``maximumInFlight`` does not count. Nil: as long as it takes, but an upload at most 60 seconds.
  public var deadline: Duration?
  /// The network's own idle timeout in whole seconds, because Foundation on Linux cuts fractions off. Less than one
  /// counts as one. `blocking` has Foundation's own of 60 seconds.
  public var timeoutSeconds: Int
  /// How many requests of images may run at once; the others wait, first come first served. Nil: no limit. Questions to
  /// services do not count and do not wait.
  public var maximumInFlight: Int?
  /// How often a failed request of an image is tried again, where ``FetchError/isWorthRetrying``. Never after a cancel or a
  /// 4xx. A question to a service is asked once.
  public var retries: Int
  /// The wait before the second attempt.
  public var retryDelay: Duration
  /// Each further wait is so many times as long as the one before it, up to an hour. One or less: all are the same.
  public var backoff: Int

  static let longestUpload = Duration.seconds(60)

  /// Limits; by default 64 MiB, one minute, one attempt, and as many requests at once as there are.
  public init(
    maximumBytes: Int = 64 << 20, deadline: Duration? = .seconds(60), timeoutSeconds: Int = 60,
    maximumInFlight: Int? = nil, retries: Int = 0, retryDelay: Duration = .milliseconds(200), backoff: Int = 1
  ) {
    self.maximumBytes = maximumBytes
    self.deadline = deadline
    self.timeoutSeconds = timeoutSeconds
    self.maximumInFlight = maximumInFlight
    self.retries = retries
    self.retryDelay = retryDelay
    self.backoff = backoff
  }

  /// The wait before retry number `number`, counted from one.
  func wait(beforeRetry number: Int) -> Duration {
    let longest = Duration.seconds(3600)
    var (wait, counted) = (retryDelay, 1)
    while counted < number, backoff > 1, wait > .zero, wait < longest {
      // Compared before it is multiplied: a `Duration` that overflows ends the process.
      wait = Double(backoff) < longest / wait ? wait * backoff : longest
      counted += 1
    }
    return counted > 1 ? min(wait, longest) : wait
  }
}
