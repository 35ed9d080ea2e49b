/// How much a fetch may take: bytes, time, attempts, company.
public struct FetchLimits: Sendable, Equatable {
  /// The longest body in bytes; checked while it streams where the strategy can see it.
  public var maximumBytes: Int
  /// The time from the start of a fetch to its end, attempts and waits included. Nil: as long as it takes.
  public var deadline: Duration?
  /// The network's own idle timeout in whole seconds, at least one: Foundation on Linux cuts fractions off.
  public var timeoutSeconds: Int
  /// How many requests may run at once; the others wait, first come first served. Nil: no limit.
  public var maximumInFlight: Int?
  /// How often a failed request is tried again. Never after a cancel or a 4xx.
  public var retries: Int
  /// The wait before each further attempt.
  public var retryDelay: Duration

  public init(
    maximumBytes: Int = 64 << 20, deadline: Duration? = .seconds(60), timeoutSeconds: Int = 60,
    maximumInFlight: Int? = nil, retries: Int = 0, retryDelay: Duration = .milliseconds(200)
  ) {
    self.maximumBytes = maximumBytes
    self.deadline = deadline
    self.timeoutSeconds = max(1, timeoutSeconds)
    self.maximumInFlight = maximumInFlight
    self.retries = retries
    self.retryDelay = retryDelay
  }
}
