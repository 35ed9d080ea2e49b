import TestMachine
import Testing

/// Runs a suite while no other suite with this trait runs, whichever target it belongs to.
struct WholeMachine: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await TestMachine.shared.borrow(function)
  }
}

extension Trait where Self == WholeMachine {
  static var wholeMachine: Self { Self() }
}
