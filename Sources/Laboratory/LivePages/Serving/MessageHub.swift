import Foundation
import OriginServer
import Scheduling

/// The messages of a session, in order, for any number of tabs. Safe to use from any thread.
///
/// A ring buffer keeps the last messages. Each tab has a position in the buffer instead of a queue. So a slow or hidden
/// tab neither takes memory nor delays a message. A tab whose position has left the buffer gets a snapshot.
final class MessageHub: Sendable {
  /// The number of messages that the buffer keeps.
  static let capacity = 4096
  /// The maximum number of bytes that the buffer keeps. Large messages leave it earlier.
  static let bytes = 16 << 20
  /// The maximum number of tabs.
  static let tabs = 8

  private struct State {
    /// The messages, at their ids modulo ``MessageHub/capacity``.
    var messages: [[UInt8]] = []
    /// The id of the oldest message in the buffer, and that of the next one.
    var (oldest, next) = (0, 0)
    /// The size of the messages in the buffer.
    var bytes = 0
    var tabs: [ObjectIdentifier: TabStream] = [:]
    var isClosed = false

    mutating func removeOldest() {
      let index = oldest % MessageHub.capacity
      bytes -= messages[index].count
      messages[index] = []
      oldest += 1
    }
  }

  private let state = Locked(State())

  /// Whether any tab is connected. If not, no message is needed yet.
  var hasTabs: Bool { state.withLock { !$0.tabs.isEmpty } }

  /// The id of the next message.
  var nextID: Int { state.withLock { $0.next } }

  /// Adds a message, and wakes the tabs.
  func post(_ event: String, _ data: Data) {
    let tabs = state.withLock { state in
      let message = Self.message(event, data, id: state.next)
      if state.next - state.oldest == Self.capacity { state.removeOldest() }
      if state.messages.count < Self.capacity {
        state.messages.append(message)
      } else {
        state.messages[state.next % Self.capacity] = message
      }
      state.next += 1
      state.bytes += message.count
      while state.bytes > Self.bytes, state.oldest < state.next - 1 {
        state.removeOldest()
      }
      return state.tabs.values.map(\.self)
    }
    for tab in tabs { tab.wake() }
  }

  /// The text of a message in the format of server-sent events. JSON on one line contains no line break.
  static func message(_ event: String, _ data: Data, id: Int) -> [UInt8] {
    Array("id: \(id)\nevent: \(event)\ndata: ".utf8) + Array(data) + Array("\n\n".utf8)
  }

  /// Skips messages that would leave the buffer at once. Each tab gets a snapshot.
  func skip() {
    state.withLock { state in
      // Two gaps in a row must differ, so that a tab never takes the id of one for that of the other.
      state.next += 1
      state.messages = []
      state.bytes = 0
      // The buffer restarts at an index of zero.
      state.next += (Self.capacity - state.next % Self.capacity) % Self.capacity
      state.oldest = state.next
    }
  }

  /// Returns the messages after a position, up to about 64 KiB, and the new position. Returns nil if the next message has
  /// left the buffer.
  func messages(from id: Int) -> (bytes: [UInt8], next: Int)? {
    state.withLock { state in
      guard id >= state.oldest, id <= state.next else { return nil }
      var bytes: [UInt8] = []
      var next = id
      while next < state.next, bytes.count < 64 * 1024 {
        bytes += state.messages[next % Self.capacity]
        next += 1
      }
      return (bytes, next)
    }
  }

  /// Connects a tab. Returns false if there are too many.
  func add(_ tab: TabStream) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.tabs.count < Self.tabs else { return false }
      state.tabs[ObjectIdentifier(tab)] = tab
      return true
    }
  }

  func remove(_ tab: TabStream) { state.withLock { $0.tabs[ObjectIdentifier(tab)] = nil } }

  /// Ends all streams.
  func close() {
    let tabs = state.withLock { state in
      state.isClosed = true
      return state.tabs.values.map(\.self)
    }
    for tab in tabs { tab.end() }
  }
}

/// The event stream of one tab. Safe to use from any thread.
final class TabStream: ResponseStream {
  private enum Phase {
    /// Waiting for the session to choose a position.
    case waiting
    /// At a position in the hub's buffer, after sending the snapshot.
    case at(Int, snapshot: [UInt8])
    case ended
  }

  private struct State {
    var phase = Phase.waiting
    var whenReady: (@Sendable () -> Void)?
    /// Whether ``next()`` has returned no bytes.
    var isHungry = false
  }

  private let hub: MessageHub
  /// The id of the last message that the tab has received, or nil.
  let lastID: Int?
  /// Called when the tab needs a position, with whether it has just connected.
  private let needsPosition: @Sendable (TabStream, _ isNew: Bool) -> Void
  private let state = Locked(State())

  init(_ hub: MessageHub, lastID: Int?, needsPosition: @escaping @Sendable (TabStream, _ isNew: Bool) -> Void) {
    (self.hub, self.lastID, self.needsPosition) = (hub, lastID, needsPosition)
  }

  func open(_ whenReady: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenReady = whenReady }
    needsPosition(self, true)
  }

  func next() -> [UInt8]? {
    // The flag is set first, so that a message that arrives meanwhile wakes the connection again.
    let phase = state.withLock { state in
      state.isHungry = true
      return state.phase
    }
    switch phase {
    case .waiting: return []
    case .ended: return nil
    case .at(let id, let snapshot) where !snapshot.isEmpty:
      return advance(to: id) ? snapshot : []
    case .at(let id, _):
      guard let (bytes, next) = hub.messages(from: id) else {
        state.withLock { if case .at = $0.phase { $0.phase = .waiting } }
        needsPosition(self, false)
        return []
      }
      return bytes.isEmpty ? [] : advance(to: next) ? bytes : []
    }
  }

  private func advance(to id: Int) -> Bool {
    state.withLock { state in
      guard case .at = state.phase else { return false }
      state.phase = .at(id, snapshot: [])
      return true
    }
  }

  /// Continues at a position in the buffer, after a snapshot.
  func start(at id: Int, _ snapshot: [UInt8] = []) {
    state.withLock { if case .waiting = $0.phase { $0.phase = .at(id, snapshot: snapshot) } }
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
    state.withLock { state in
      state.phase = .ended
      state.isHungry = true
    }
    wake()
  }

  func close() { hub.remove(self) }
}
