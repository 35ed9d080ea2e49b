public import ScheduleExplorer
public import Testing
public import VirtualTime

/// Explores unmodified Swift code in an exit test, and reports a failure in the test that the exit test belongs to.
///
/// ```swift
/// @Test func basket() async {
///   await #expect(processExitsWith: .success) { exploringSwift { try await basketStaysWhole() } }
/// }
/// ```
///
/// An exit test runs in a process of its own, whose executors `exploreSwift` may replace. An error that leaves an exit test
/// is lost; this records it as an issue, which Swift Testing brings to the parent, with the whole report.
///
/// - Parameters:
///   - schedules: how many schedules may run.
///   - time: how much real time the search may take; nil for as much as it needs.
///   - seed: makes random choices the same in each search.
///   - search: how schedules are chosen.
///   - timing: whether sleeps keep to their due times.
///   - mostSteps: after how many items a run counts as a livelock.
///   - patience: how long, in real time, a job may run between two awaits, and an external call may take.
///   - token: replays one schedule instead of searching.
///   - loosely: whether the token is followed as far as the code goes with it.
///   - sourceLocation: where the issue is shown.
///   - body: the code, called once for each schedule.
/// - Returns: the figures of the search; nil for a failure.
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
    /// Whether `exploreSwift` works here. Where it is false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = true
  #else
    /// Whether `exploreSwift` works here. Where it is false, it throws `ExploringSwiftUnavailable`.
    public static let isAvailable = false
  #endif
}

extension Trait where Self == ConditionTrait {
  /// The test explores unmodified Swift code. It is skipped where that is unavailable.
  public static var exploresSwift: Self {
    .enabled(if: ExploresSwift.isAvailable, "needs Swift 6.3 on Linux and the trait SwiftExecutors")
  }
}
