/// How much a fetch may take: bytes, time, attempts, company.
public struct FetchLimits: Sendable, Equatable {
  /// The longest body in bytes; checked while it streams where the strategy can see it. No more than this is kept.
  public var maximumBytes: Int
  /// The time from the start of a request to its end, further attempts and the waits before them included; waiting for
  /// a place among ``maximumInFlight`` does not count. Nil: as long as it takes.
  public var deadline: Duration?
  /// The network's own idle timeout in whole seconds, because Foundation on Linux cuts fractions off. Less than one
  /// counts as one. `blocking` has Foundation's own of 60 seconds.
  public var timeoutSeconds: Int
  /// How many requests may run at once; the others wait, first come first served. Nil: no limit.
  public var maximumInFlight: Int?
  /// How often a failed request is tried again, where ``FetchError/isWorthRetrying``. Never after a cancel or a 4xx.
  public var retries: Int
  /// The wait before each further attempt.
  public var retryDelay: Duration

  /// Limits; by default 64 MiB, one minute, one attempt, and as many requests at once as there are.
  public init(
    maximumBytes: Int = 64 << 20, deadline: Duration? = .seconds(60), timeoutSeconds: Int = 60,
    maximumInFlight: Int? = nil, retries: Int = 0, retryDelay: Duration = .milliseconds(200)
  ) {
    self.maximumBytes = maximumBytes
    self.deadline = deadline
    self.timeoutSeconds = timeoutSeconds
    self.maximumInFlight = maximumInFlight
    self.retries = retries
    self.retryDelay = retryDelay
  }
}
