import OriginServer
import Scheduling

/// The event stream of one tab. Safe to use from any thread.
final class TabStream: ResponseStream {
  private struct State {
    /// The id of the next message, or nil while the session chooses a position.
    var position: Int?
    /// The bytes to send before the messages.
    var snapshot: [UInt8] = []
    var isEnded = false
    var whenReady: (@Sendable () -> Void)?
    /// Whether ``TabStream/next()`` has returned no bytes.
    var isHungry = false
    /// The time of the last call of ``TabStream/next()``.
    var lastRead = ContinuousClock.now
  }

  private let hub: MessageHub
  /// Called when the tab needs a position, with whether it has just connected.
  private let needsPosition: @Sendable (TabStream, _ isNew: Bool) -> Void
  private let state = Locked(State())

  init(_ hub: MessageHub, needsPosition: @escaping @Sendable (TabStream, _ isNew: Bool) -> Void) {
    (self.hub, self.needsPosition) = (hub, needsPosition)
  }

  func open(_ whenReady: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenReady = whenReady }
    needsPosition(self, true)
  }

  /// Whether the tab has not read the bytes that it was given for some seconds.
  func isStuck(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { !$0.isHungry && now - $0.lastRead > .seconds(3) }
  }

  func next() -> [UInt8]? {
    let (bytes, isLost) = state.withLock { state -> ([UInt8]?, Bool) in
      state.lastRead = .now
      if state.isEnded { return (nil, false) }
      if !state.snapshot.isEmpty {
        defer { state.snapshot = [] }
        return (state.snapshot, false)
      }
      let position = state.position
      let found = position.flatMap(hub.messages(from:))
      state.position = found?.next
      state.isHungry = found?.bytes.isEmpty ?? true
      return (found?.bytes ?? [], position != nil && found == nil)
    }
    if isLost { needsPosition(self, false) }
    return bytes
  }

  /// Continues at a position among the messages, after a snapshot.
  func start(at id: Int, _ snapshot: [UInt8] = []) {
    state.withLock { ($0.position, $0.snapshot) = (id, snapshot) }
    wake()
  }

  /// Tells the connection that there may be bytes.
  func wake() {
    let action = state.withLock { state in
      defer { state.isHungry = false }
      return state.isHungry ? state.whenReady : nil
    }
    action?()
  }

  func end() {
    state.withLock { ($0.isEnded, $0.isHungry) = (true, true) }
    wake()
  }

  func close() { hub.remove(self) }
}
