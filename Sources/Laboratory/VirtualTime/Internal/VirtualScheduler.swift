import Scheduling

/// A scheduler of virtual time.
final class VirtualScheduler: Scheduler {
  private let core: VirtualCore
  private let id: SchedulerID
  /// What a closure with a delay counts as.
  private let delayed: ReadyItem.Kind

  init(_ core: VirtualCore, _ id: SchedulerID, delayed: ReadyItem.Kind = .timer) {
    self.core = core
    self.id = id
    self.delayed = delayed
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    core.schedule(.call(RunQueue.Action(call: action)), .closure, on: id)
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    core.schedule(.call(RunQueue.Action(call: action)), delayed, on: id, after: delay)
  }

  var isSerial: Bool { id.isSerial }
  var isCurrent: Bool { core.isCurrent(id) }
}
