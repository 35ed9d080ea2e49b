public import Testing

/// Runs so many tests of a suite at once, where all of them would keep each other from being in time, and one after the other would
/// mostly wait.
public struct AtOnce: SuiteTrait, TestTrait, TestScoping {
  fileprivate let seats: Seats

  /// It is each test that takes a seat, and not the suite.
  public var isRecursive: Bool { true }

  /// Takes a seat for the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await seats.take(function)
  }
}

extension Trait where Self == AtOnce {
  /// At most so many tests of the suite run at once.
  public static func atOnce(_ count: Int) -> Self { Self(seats: Seats(count)) }
}
