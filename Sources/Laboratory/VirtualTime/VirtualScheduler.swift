import Scheduling

final class VirtualScheduler: Scheduler {
  private let core: VirtualCore
  private let id: SchedulerID
  /// The kind of item that a delayed closure becomes.
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

/// A gate at which one closure waits while the rest of the run continues.
struct VirtualGate: Gate {
  private let core: VirtualCore
  private let number: Int

  init(_ core: VirtualCore) {
    self.core = core
    number = core.makeGate()
  }

  func wait() { core.wait(number) }
  func open() { core.open(number) }
}
