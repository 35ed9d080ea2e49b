import EventBus

/// A scheduler that puts its actions on an agenda.
final class AgendaScheduler: Scheduler {
  let isSerial: Bool
  private let agenda: Agenda
  private let whenScheduled: @Sendable (Agenda) -> Void

  /// - Parameter whenScheduled: called after each action is on the agenda, on the thread that scheduled it.
  init(_ agenda: Agenda, isSerial: Bool, whenScheduled: @escaping @Sendable (Agenda) -> Void) {
    self.agenda = agenda
    self.isSerial = isSerial
    self.whenScheduled = whenScheduled
  }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    agenda.append(self, action)
    whenScheduled(agenda)
  }

  func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Cancellation {
    let cancellation = agenda.append(self, after: delay, action)
    whenScheduled(agenda)
    return cancellation
  }

  var isCurrent: Bool { agenda.isCurrent(self) }
}
