import Dispatch

/// A gate made of a Dispatch semaphore.
struct SemaphoreGate: Gate {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }
  func open() { semaphore.signal() }
}
