public import Testing

/// A trait that runs a suite while no other suite with this trait runs, in any target.
public struct WholeMachine: SuiteTrait, TestScoping {
  /// Reserves the machine for the suite.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Seats.machine.take(function)
  }
}

extension Trait where Self == WholeMachine {
  /// The suite needs exclusive use of the machine's threads, files, and time.
  public static var wholeMachine: Self { Self() }
}
