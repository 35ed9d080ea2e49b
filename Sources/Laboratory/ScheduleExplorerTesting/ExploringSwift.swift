public import ScheduleExplorer
public import Testing
public import VirtualTime

/// Explores unmodified Swift code in an exit test, and reports a failure in the test that contains it.
///
/// ```swift
/// @Test func basket() async {
///   await #expect(processExitsWith: .success) { exploringSwift { try await basketStaysWhole() } }
/// }
/// ```
///
/// An exit test runs in a separate process, where `exploreSwift` may replace the executors. An error that leaves an
/// exit test is lost. This function
/// records it as an issue, which Swift Testing passes to the parent with the whole report.
///
/// - Parameters:
///   - schedules: the maximum number of schedules.
///   - time: the maximum real time of the search, or nil for no limit.
///   - seed: the seed of all random choices.
///   - search: the search algorithm.
///   - timing: whether sleeps keep their due times.
///   - mostSteps: the number of items after which a run counts as a livelock.
///   - patience: the maximum real time of a job between two awaits, and of an external call.
///   - token: a token to replay instead of searching.
///   - loosely: whether the token is followed as far as it matches the code.
///   - sourceLocation: the location of the issue.
///   - body: the code, called once per schedule.
/// - Returns: the figures of the search, or nil for a failure.
@discardableResult
public func exploringSwift<Outcome: Sendable>(
  schedules: Int = 10_000, for time: Duration? = nil, seed: UInt64 = 1, search: Search = .mixed,
  timing: Timing = .exact, mostSteps: Int = 10_000, patience: Duration = .seconds(10), replaying token: String? = nil,
  loosely: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Outcome
) -> Exploration? {
  do {
    return try exploreSwift(
      schedules: schedules, for: time, seed: seed, search: search, timing: timing, mostSteps: mostSteps,
      patience: patience, replaying: token, loosely: loosely, body)
  } catch var failure as ExplorationFailure {
    failure.replay.function = "exploringSwift"
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
    /// Whether `exploreSwift` works on this system. If false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = true
  #else
    /// Whether `exploreSwift` works on this system. If false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = false
  #endif
}

extension Trait where Self == ConditionTrait {
  /// The test explores unmodified Swift code. It is skipped if that is unavailable.
  public static var exploresSwift: Self {
    .enabled(if: ExploresSwift.isAvailable, "needs Swift 6.3 on Linux and the trait SwiftExecutors")
  }
}
