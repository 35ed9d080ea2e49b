import EventBus

/// A gate for a runtime whose actions all run on one thread: there a wait for a closed gate can never end, so it traps.
final class CountingGate: Gate {
  private let permits = Locked(0)

  func open() { permits.withLock { $0 += 1 } }

  func wait() {
    let isOpen = permits.withLock { permits in
      guard permits > 0 else { return false }
      permits -= 1
      return true
    }
    if !isOpen { fatalError("This gate is closed, and nothing else can run while a test runtime waits for it.") }
  }
}
