import Foundation
import Scheduling

/// A thread that continues a run while closures of the run wait on other threads. After the run, it waits for the next
/// one, because a new thread takes longer than a short run.
final class RunThread: Sendable {
  private static let maximumIdle = 64
  private static let stackSize = 8 << 20
  private static let idle = Locked<[RunThread]>([])

  private struct Assignment: Sendable {
    let core: VirtualCore
    let baton: Baton
  }

  private let isAssigned = DispatchRuntime.shared.gate()
  private let state = Locked(State())

  private struct State: Sendable {
    var next: VirtualCore?
    /// The baton with which the thread waits in the run that it was assigned to.
    var baton: Baton?
  }

  private init() {}

  /// Runs the loop of a core on another thread.
  static func drive(_ core: VirtualCore) {
    if let thread = idle.withLock({ $0.popLast() }) { return thread.assign(core) }
    let thread = RunThread()
    let system = Thread { thread.run() }
    system.stackSize = stackSize
    system.start()
    thread.assign(core)
  }

  /// Frees the thread of a run that has ended. The thread continues to wait with its baton until the next assignment, so
  /// that it wakes only once.
  static func release(_ baton: Baton) {
    guard let thread = baton.thread else { return baton.dismiss() }
    let isKept = idle.withLock { idle in
      guard idle.count < maximumIdle else { return false }
      idle.append(thread)
      return true
    }
    if !isKept { thread.assign(nil) }
  }

  /// Assigns the next core, or ends the thread.
  private func assign(_ core: VirtualCore?) {
    let baton = state.withLock { state in
      state.next = core
      return state.baton.take()
    }
    isAssigned.open()
    baton?.dismiss()
  }

  private func run() {
    while true {
      isAssigned.wait()
      let baton = Baton(self)
      let core = state.withLock { state in
        state.baton = baton
        return state.next.take()
      }
      guard let core else { return }
      core.drive(baton)
    }
  }
}
