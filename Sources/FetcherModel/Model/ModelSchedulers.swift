import EventBus

/// The schedulers on which the model does its own work, none of which a strategy can block.
struct ModelSchedulers: Sendable {
  /// Deadlines, and the waits before further attempts.
  let timers: any Scheduler
  /// Where pictures are validated and answers read.
  let ends: any Scheduler
  /// Where strategies are called.
  let calls: StrategyCalls

  init(_ runtime: any Runtime) {
    timers = runtime.serial("fetch deadlines")
    ends = runtime.serial("fetch ends")
    calls = StrategyCalls(runtime, timers: timers)
  }
}
