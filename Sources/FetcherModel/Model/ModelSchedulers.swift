package import Scheduling

/// The schedulers for the model's own work. No strategy can block them.
package struct ModelSchedulers: Sendable {
  /// Used for deadlines and for the waits before retries.
  package let timers: any Scheduler
  /// Used for validating pictures and reading responses.
  package let ends: any Scheduler
  /// Used for calls to strategies.
  package let calls: StrategyCalls

  init(_ runtime: any Runtime) {
    timers = runtime.serial("fetch deadlines")
    ends = runtime.serial("fetch ends")
    calls = StrategyCalls(runtime, timers: timers)
  }
}
