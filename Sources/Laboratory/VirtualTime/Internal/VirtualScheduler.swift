import Scheduling

/// A place of virtual time.
final class VirtualScheduler: Scheduler {
  private let core: VirtualCore
  private let place: Place
  /// What a closure with a delay counts as.
  private let delayed: ReadyItem.Kind

  init(_ core: VirtualCore, _ place: Place, delayed: ReadyItem.Kind = .timer) {
    self.core = core
    self.place = place
    self.delayed = delayed
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    core.schedule(.call(RunQueue.Action(call: action)), .closure, on: place)
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    core.schedule(.call(RunQueue.Action(call: action)), delayed, on: place, after: delay)
  }

  var isSerial: Bool { place.isSerial }
  var isCurrent: Bool { core.isCurrent(place) }
}
