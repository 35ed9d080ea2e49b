import EventBus

/// A lane of a virtual runtime.
final class VirtualScheduler: Scheduler {
  private let core: VirtualCore
  private let lane: VirtualLane

  init(_ core: VirtualCore, _ lane: VirtualLane) {
    self.core = core
    self.lane = lane
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    core.schedule(VirtualState.Action(call: action), on: lane)
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    let timer = core.schedule(VirtualState.Action(call: action), on: lane, after: delay)
    return VirtualTimer(core: core, number: timer)
  }

  var isSerial: Bool { lane.isSerial }
  var isCurrent: Bool { core.isCurrent(lane) }
}

private struct VirtualTimer: Cancellation {
  let core: VirtualCore
  let number: Int

  func cancel() { core.cancel(number) }
}
