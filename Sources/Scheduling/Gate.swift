/// A door that blocks a thread until somebody opens it: the only thing in this package that may block.
public protocol Gate: Sendable {
  /// Blocks the calling thread until ``open()`` has been called once for this wait. Never call it on the main scheduler.
  func wait()

  /// Lets one waiter through, now or the next that comes: whoever is quickest, not who has waited longest. Any thread.
  func open()
}
