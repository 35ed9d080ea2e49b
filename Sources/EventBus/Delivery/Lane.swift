/// The mailbox of one place where handlers run: first in, first out, one wake-up for a burst.
///
/// Each delivery on its way holds the lane, so that none is lost when the last subscription goes.
final class Lane: Sendable {
  /// One event for all its subscribers on this lane.
  typealias Delivery = @Sendable (BusCore) -> Void

  /// How long the main scheduler is kept from other work before the lane queues up again.
  private static let mainBudget: Duration = .milliseconds(10)

  private let scheduler: any Scheduler
  private let core: BusCore
  private let isMain: Bool
  private let mailbox = Locked(Mailbox())

  private struct Mailbox: Sendable {
    var waiting: [Delivery] = []
    var isAwake = false
  }

  init(_ scheduler: any Scheduler, core: BusCore) {
    self.scheduler = scheduler
    self.core = core
    isMain = scheduler === core.runtime.main
  }

  /// Puts a delivery into the mailbox. Returns whether the caller must ``wake()`` the lane, once it holds no lock.
  func append(_ delivery: @escaping Delivery) -> Bool {
    mailbox.withLock { mailbox in
      mailbox.waiting.append(delivery)
      defer { mailbox.isAwake = true }
      return !mailbox.isAwake
    }
  }

  func wake() { scheduler.schedule { self.drain() } }

  private func drain() {
    let deadline = isMain ? core.runtime.now + Self.mainBudget : nil
    while let burst = take() {
      for (index, delivery) in burst.enumerated() {
        InlineTurn.deliver(core) { [core] in delivery(core) }
        if let deadline, core.runtime.now >= deadline, index + 1 < burst.endIndex {
          putBack(burst[(index + 1)...])
          return wake()
        }
      }
    }
  }

  private func take() -> [Delivery]? {
    mailbox.withLock { mailbox in
      guard !mailbox.waiting.isEmpty else {
        mailbox.isAwake = false
        return nil
      }
      defer { mailbox.waiting = [] }
      return mailbox.waiting
    }
  }

  private func putBack(_ rest: ArraySlice<Delivery>) {
    mailbox.withLock { $0.waiting.insert(contentsOf: rest, at: 0) }
  }
}
