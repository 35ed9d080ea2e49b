import Dispatch
import Scheduling

/// A gate for a runtime that runs one item at a time on the thread of its test: while an item waits nothing else runs, so
/// only another thread can open it. If none does, the wait ends in a trap instead of never.
struct PatientGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)
  private let patience: Duration

  init(patience: Duration) { self.patience = patience }

  func open() { semaphore.signal() }

  func wait() {
    // What Dispatch can count.
    let seconds = min(patience, .seconds(100 * 365 * 86_400)) / .seconds(1)
    guard semaphore.wait(timeout: .now() + seconds) == .timedOut else { return }
    fatalError(
      "This gate is closed, and nothing else can run while a test runtime waits for it; no other thread opened it within "
        + "\(patience).")
  }
}
