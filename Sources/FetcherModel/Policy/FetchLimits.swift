/// The limits for a fetch: size, time and attempts.
public struct FetchLimits: Sendable, Hashable {
  /// The maximum length of a decompressed body in bytes. A longer body fails with `tooLarge`. If the strategy reports
  /// progress, the limit applies while the body streams. The limit applies to the model's memory. Foundation may use
  /// more memory until it handles the cancellation of a transfer that exceeds the limit. With `blocking`, the whole
  /// body is in memory before its length is compared with the limit.
  public var maximumBytes: Int
  /// The maximum time from the start of a request to its end, including retries and the waits before them. Time spent
  /// waiting because of the environment's `maximumInFlight` does not count. Nil means no deadline, except for uploads,
  /// which have a deadline of 60 seconds.
  public var deadline: Duration?
  /// The network's idle timeout: a request fails with `timedOut` if no byte arrives for this time. The ``deadline``
  /// limits the total time. This timeout replaces the `timeoutIntervalForRequest` of a `URLSessionConfiguration`. It is
  /// rounded up to whole seconds, and is at least one, because Foundation on Linux ignores fractions. `blocking` always
  /// uses Foundation's timeout of 60 seconds.
  ///
  /// By default, this timeout and the deadline are both 60 seconds, so a server that stalls uses up the whole deadline,
  /// and no time for a retry is left. Retries need a shorter timeout, such as
  /// `FetchLimits(idleTimeout: .seconds(10), retries: 2)`.
  public var idleTimeout: Duration
  /// The maximum number of retries of an image request whose error is ``FetchError/isWorthRetrying``. There is no retry
  /// after a cancellation or any other 4xx status than 408 and 429. Service requests are never retried.
  public var retries: Int
  /// The wait before the first retry.
  public var retryDelay: Duration
  /// The factor by which each wait grows, up to a wait of one hour. With a factor of one or less, all waits are equal.
  public var backoff: Int

  /// The longest wait before a retry that a server can ask for, with the field `Retry-After` of status 429 or 503. The
  /// retry waits at least that long. If the server asks for a longer wait, there is no retry, and the request fails.
  public var maximumRetryAfter: Duration

  package static let longestUpload = Duration.seconds(60)

  /// Creates limits. The defaults are 64 MiB, a deadline and an idle timeout of one minute, and no retries.
  public init(
    maximumBytes: Int = 64 << 20, deadline: Duration? = .seconds(60), idleTimeout: Duration = .seconds(60),
    retries: Int = 0, retryDelay: Duration = .milliseconds(200), backoff: Int = 1,
    maximumRetryAfter: Duration = .seconds(30)
  ) {
    self.maximumBytes = maximumBytes
    self.deadline = deadline
    self.idleTimeout = idleTimeout
    self.retries = retries
    self.retryDelay = retryDelay
    self.backoff = backoff
    self.maximumRetryAfter = maximumRetryAfter
  }

  /// Returns the wait before the given retry. Retries are counted from one.
  func wait(beforeRetry number: Int) -> Duration {
    let longest = Duration.seconds(3600)
    var (wait, counted) = (retryDelay, 1)
    while counted < number, backoff > 1, wait > .zero, wait < longest {
      // Compare before multiplying, because an overflow of a `Duration` terminates the process.
      wait = Double(backoff) < longest / wait ? wait * backoff : longest
      counted += 1
    }
    return counted > 1 ? min(wait, longest) : wait
  }
}
