public import Testing

/// Limits how many tests of a suite run at once. Without a limit, hundreds of tests delay each other's timers.
public struct AtOnce: SuiteTrait, TestTrait, TestScoping {
  let seats: Seats
  /// Runs the test's jobs; by default the cooperative pool does.
  var executor: (any TaskExecutor)?

  /// Applies to each test, not to the suite as a whole.
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
  /// At most `count` tests of the suite run at once.
  public static func atOnce(_ count: Int) -> Self { Self(seats: Seats(count)) }
}
