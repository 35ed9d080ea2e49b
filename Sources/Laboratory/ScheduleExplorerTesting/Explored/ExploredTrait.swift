import Foundation
public import ScheduleExplorer
public import Testing
public import VirtualTime

/// A trait that runs an existing test under many orders of its jobs. It needs no change to the test.
///
/// ```swift
/// @Test(.explored) @MainActor func lastSelectionWins() async throws {
///   let model = ForecastModel(service: SlowService())
///   model.select("Oslo")
///   model.select("Rome")
///   try await Task.sleep(for: .milliseconds(500))
///   #expect(model.forecast == "sunny in Rome")
/// }
/// ```
///
/// The test process starts itself again for each test function. The child process replaces its executors, and runs the
/// test once for each order. An order fails if it records an issue, throws an error, or traps. The test then fails with
/// the issue of the smallest failing order, and with a table of that order.
///
/// - Each order runs on a new instance of the suite, with the test's task-local values. Arguments of a parameterized test
///   run one after the other.
/// - Sleeps take no real time. The sleeps of the test's own task keep their order with all other delays, because they
///   mean *wait until everything has happened*. All other delays end in any order.
/// - An order ends when the test function has returned and no job is ready. Pending sleeps do not end.
/// - Where this build cannot explore (`ExploresSwift.isAvailable`), the test runs once, as without the trait.
///
/// If several traits apply to a test, the innermost one is used. The environment variables `EXPLORE`,
/// `EXPLORE_SCHEDULES`, `EXPLORE_SECONDS`, `EXPLORE_SEED`, `EXPLORE_SHARD`, `EXPLORE_REPLAY`, `EXPLORE_RECORD` and
/// `EXPLORE_REPORT` change the search without a change to the code.
public struct ExploredTrait: TestTrait, SuiteTrait, TestScoping {
  let settings: ExploredSettings

  /// True, so that the trait of a suite applies to all of its tests.
  public var isRecursive: Bool { true }

  /// Returns this trait at the level at which it replaces the test: in the parent process, the whole test function; in
  /// the child process, each of its cases.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    let innermost = test.traits.lazy.compactMap { $0 as? Self }.last
    guard !test.isSuite, innermost?.settings == settings else { return nil }
    switch ExploredRole.current {
    case .plain: return nil
    case .parent: return testCase == nil ? self : nil
    case .child: return testCase == nil ? nil : self
    }
  }

  /// In the parent process, runs the test in a child process instead of calling `function`. In the child process, calls
  /// `function` once for each order.
  ///
  /// - Throws: nothing. An issue reports each failure.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    #if SwiftExecutors && os(Linux) && compiler(>=6.3) && compiler(<6.4)
      if case .child(let order) = ExploredRole.current {
        try await ExploredChild.run(test, testCase, settings, order, function)
      } else {
        await ExploredParent(test, settings).run()
      }
    #else
      try await function()
    #endif
  }
}

extension Trait where Self == ExploredTrait {
  /// Runs the test under many orders of its jobs, with the settings of ``explored(timing:schedules:for:seed:search:)``.
  public static var explored: Self { explored() }

  /// Runs the test under many orders of its jobs.
  ///
  /// - Parameters:
  ///   - timing: whether delays end exactly when they are due. Nil means that the sleeps of the test's own task keep
  ///     their order with all other delays, and that all other delays end in any order.
  ///   - schedules: the maximum number of orders to run, for each argument of the test.
  ///   - time: the maximum duration of the search in real time, for each argument of the test.
  ///   - seed: the seed of all random choices.
  ///   - search: the search algorithm.
  public static func explored(
    timing: Timing? = nil, schedules: Int = 2_000, for time: Duration = .seconds(10), seed: UInt64 = 1,
    search: Search = .mixed
  ) -> Self {
    ExploredTrait(
      settings: ExploredSettings(timing: timing, schedules: schedules, time: time, seed: seed, search: search))
  }

  /// Runs the test once, in first-in, first-out order, on a virtual clock. Sleeps take no real time.
  public static var virtualTime: Self { explored(timing: .exact, schedules: 1, search: .fifo) }
}

/// The part of this process in the exploration of tests.
enum ExploredRole {
  /// Runs tests as without the trait.
  case plain
  /// Starts a child process for each test.
  case parent
  /// Was started by a parent.
  case child(ChildOrder)

  static let current: Self = {
    guard ExploresSwift.isAvailable else {
      note("this build cannot explore tests: it needs Swift 6.3 on Linux and the trait SwiftExecutors")
      return .plain
    }
    if let order = ChildOrder.ofThisProcess { return .child(order) }
    if ExploredEnvironment.current.mode == .off {
      note("EXPLORE=off")
      return .plain
    }
    return .parent
  }()

  private static func note(_ reason: String) {
    FileHandle.standardError.write(Data(".explored: \(reason). Each explored test runs once.\n".utf8))
  }
}
