import Foundation
public import Testing

/// The tests that take minutes. They run when the environment has `FETCHER_LONG=1`, as in `.ci/run --long`.
public enum LongTests {
  /// Whether this run includes them. The only place that reads the variable.
  public static let areEnabled = ProcessInfo.processInfo.environment["FETCHER_LONG"] == "1"
}

extension Trait where Self == ConditionTrait {
  /// The test takes minutes and runs on request only.
  public static var long: Self { .enabled(if: LongTests.areEnabled, "takes minutes; FETCHER_LONG=1 enables it") }
}
