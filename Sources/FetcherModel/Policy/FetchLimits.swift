/// The limits of a fetch: bytes, time, attempts, concurrent requests.
public struct FetchLimits: Sendable, Equatable {
  /// The maximum length of a body in bytes, decompressed. A longer body fails with `tooLarge`. If the strategy
  /// reports progress, the limit
  /// applies while the body streams. It bounds the memory of the model; Foundation may hold more until it handles the
  /// cancel. `blocking`
  /// has the whole body in memory before the check.
  public var maximumBytes: Int
  /// The maximum time from the start of a request to its end, including retries and the waits before them. Waiting
  /// for a permit of
  /// ``maximumInFlight`` does not count. Nil means no deadline, except 60 seconds for an upload.
  public var deadline: Duration?
  /// The network's idle timeout in whole seconds, because Foundation on Linux truncates fractions. Less than one
  /// counts as one.
  /// `blocking` always has Foundation's 60 seconds.
  public var timeoutSeconds: Int
  /// The maximum number of concurrent requests of images. Further requests wait, first come, first served. Nil means
  /// no limit.
  /// Requests of services do not count and do not wait.
  public var maximumInFlight: Int?
  /// The maximum number of retries of a failed image request, if ``FetchError/isWorthRetrying``. Never after a cancel
  /// or a 4xx.
  /// A request of a service is never retried.
  public var retries: Int
  /// The wait before the first retry.
  public var retryDelay: Duration
  /// The factor by which each wait grows, up to one hour. With one or less, all waits are equal.
  public var backoff: Int

  static let longestUpload = Duration.seconds(60)

  /// Makes limits. The defaults are 64 MiB, one minute, no retry, and unlimited concurrent requests.
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

  /// Returns the wait before the given retry, counted from one.
  func wait(beforeRetry number: Int) -> Duration {
    let longest = Duration.seconds(3600)
    var (wait, counted) = (retryDelay, 1)
    while counted < number, backoff > 1, wait > .zero, wait < longest {
      // Compare before multiplying: an overflow of a `Duration` ends the process.
      wait = Double(backoff) < longest / wait ? wait * backoff : longest
      counted += 1
    }
    return counted > 1 ? min(wait, longest) : wait
  }
}
