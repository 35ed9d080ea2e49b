public import ScheduleExplorer
public import Testing
public import VirtualTime

/// Explores unmodified Swift code in an exit test, and reports any failure in the enclosing test.
///
/// ```swift
/// @Test func basket() async {
///   await #expect(processExitsWith: .success) { exploringSwift { try await basketStaysWhole() } }
/// }
/// ```
///
/// An exit test runs in a separate process, where `exploreSwift` may replace the executors. An error thrown out of an
/// exit test is lost. This function therefore records it as an issue, which Swift Testing passes to the parent process
/// with the whole report.
///
/// - Parameters:
///   - schedules: the maximum number of schedules to run.
///   - time: the maximum duration of the search in real time, or nil for no limit.
///   - seed: the seed of all random choices.
///   - search: the search algorithm.
///   - timing: whether sleeps end exactly when they are due.
///   - maximumSteps: the number of items after which a run counts as a livelock.
///   - timeout: the maximum real time for a job between two awaits, and for an external call.
///   - token: a token to replay instead of searching.
///   - loosely: whether to follow the token only as far as it matches the code.
///   - sourceLocation: the source location that the issue reports.
///   - body: the code, called once per schedule.
/// - Returns: the result of the search, or nil if it failed.
@discardableResult
public func exploringSwift<Outcome: Sendable>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, maximumSteps: Int = 10_000, timeout: Duration = .seconds(10),
  replaying token: String? = nil,
  loosely: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Outcome
) -> Exploration? {
  do {
    return try Traps.catching {
      try exploreSwift(
        schedules: schedules, for: time, seed: seed, search: search, timing: timing, maximumSteps: maximumSteps,
        timeout: timeout, replaying: token, loosely: loosely, body)
    }
  } catch var failure as ExplorationFailure {
    failure.replay?.function = "exploringSwift"
    Issue.record(failure, sourceLocation: sourceLocation)
    return nil
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    return nil
  }
}

/// Whether this build can explore unmodified Swift code.
public enum ExploresSwift {
  #if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
    /// Whether `exploreSwift` works on this system. If not, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = true
  #else
    /// Whether `exploreSwift` works on this system. If not, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = false
  #endif
}

extension Trait where Self == ConditionTrait {
  /// A condition for tests that explore unmodified Swift code. It skips the test if exploration is unavailable.
  public static var exploresSwift: Self {
    .enabled(if: ExploresSwift.isAvailable, "needs Swift 6.3 on Linux and the trait SwiftExecutors")
  }
}
