public import Testing

/// Runs a suite while no other suite with this trait runs, whichever target it belongs to.
public struct WholeMachine: SuiteTrait, TestScoping {
  /// Borrows the machine for the suite.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Seats.machine.take(function)
  }
}

extension Trait where Self == WholeMachine {
  /// The suite needs the threads, files and time of the machine for itself.
  public static var wholeMachine: Self { Self() }
}
