public import Testing

/// A trait that limits the number of a suite's tests that run concurrently. Without a limit, hundreds of tests delay
/// each other's timers.
public struct AtOnce: SuiteTrait, TestTrait, TestScoping {
  let seats: Seats
  /// The executor of the test's jobs. If it is nil, the cooperative pool runs them.
  var executor: (any TaskExecutor)?

  /// True, so that the trait applies to each test, not to the suite as a whole.
  public var isRecursive: Bool { true }

  /// Waits for a free seat, then runs the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await seats.take {
      try await withTaskExecutorPreference(executor) { try await function() }
    }
  }
}

extension Trait where Self == AtOnce {
  /// Runs at most `count` tests of the suite concurrently.
  public static func atOnce(_ count: Int) -> Self { Self(seats: Seats(count)) }
}
