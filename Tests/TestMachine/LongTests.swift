import Foundation
public import Testing

/// The tests that take minutes. They run if the environment has `FETCHER_LONG=1`, as in `.ci/run --long`.
public enum LongTests {
  /// Whether this run includes the long tests. No other code reads the variable.
  public static let areEnabled = ProcessInfo.processInfo.environment["FETCHER_LONG"] == "1"

  /// Returns the number of repetitions of a test: `long` if this run includes the long tests, and `count` otherwise.
  public static func times(_ count: Int, long: Int) -> Int { areEnabled ? long : count }

  /// Returns the arguments of a test: all if this run includes the long tests, and otherwise one of every `step`.
  public static func some<Argument>(of all: [Argument], every step: Int) -> [Argument] {
    areEnabled ? all : stride(from: 0, to: all.count, by: step).map { all[$0] }
  }
}

extension Trait where Self == ConditionTrait {
  /// The test takes minutes and runs on request only.
  public static var long: Self { .enabled(if: LongTests.areEnabled, "takes minutes; FETCHER_LONG=1 enables it") }
}
