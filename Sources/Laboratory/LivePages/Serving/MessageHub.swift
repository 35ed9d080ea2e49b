import Foundation
import PlainText
import Scheduling

/// The messages of a session, in order, for any number of tabs. Safe to use from any thread.
///
/// The hub keeps the last messages. Each tab has a position among them instead of a queue. So a slow tab neither takes
/// memory nor delays a message. A tab whose next message was removed gets a snapshot.
final class MessageHub: Sendable {
  /// The maximum number of messages that the hub keeps, and the maximum number of rows in a message.
  static let capacity = 4096
  /// The maximum number of bytes that the hub keeps.
  static let bytes = 8 << 20
  /// The maximum number of tabs.
  static let tabs = 8

  private struct State {
    var messages: [Int: [UInt8]] = [:]
    /// The id of the oldest message that is kept, and that of the next one.
    var (oldest, next) = (0, 0)
    /// The size of the messages.
    var bytes = 0
    var tabs: [ObjectIdentifier: TabStream] = [:]
    var isClosed = false
  }

  private let state = Locked(State())

  /// Whether any tab is connected. If not, no message is needed yet.
  var hasTabs: Bool { state.withLock { !$0.tabs.isEmpty } }

  /// The id of the next message.
  var nextID: Int { state.withLock { $0.next } }

  /// Adds a message, and wakes the tabs.
  func post(_ event: String, _ content: some Encodable) {
    let data = JSONText.line(content)
    let tabs = state.withLock { state in
      let message = Self.message(event, data, id: state.next)
      state.messages[state.next] = message
      state.next += 1
      state.bytes += message.count
      while state.messages.count > Self.capacity || state.bytes > Self.bytes && state.messages.count > 1 {
        state.bytes -= state.messages.removeValue(forKey: state.oldest)?.count ?? 0
        state.oldest += 1
      }
      return state.tabs.values.map(\.self)
    }
    for tab in tabs { tab.wake() }
  }

  /// The text of a message in the format of server-sent events. JSON on one line contains no line break.
  static func message(_ event: String, _ data: Data, id: Int) -> [UInt8] {
    Array("id: \(id)\nevent: \(event)\ndata: ".utf8) + Array(data) + Array("\n\n".utf8)
  }

  /// Returns the messages after a position, up to about 64 KiB, and the new position. Returns nil if the next message was
  /// removed.
  func messages(from id: Int) -> (bytes: [UInt8], next: Int)? {
    state.withLock { state in
      guard id >= state.oldest, id <= state.next else { return nil }
      var (bytes, next) = ([UInt8](), id)
      while bytes.count < 64 * 1024, let message = state.messages[next] {
        bytes += message
        next += 1
      }
      return (bytes, next)
    }
  }

  /// Connects a tab, if necessary instead of one that does not read. Returns false if there are too many.
  func add(_ tab: TabStream, at now: ContinuousClock.Instant = .now) -> Bool {
    // A tab calls the hub with its lock held, so its state is read without the hub's lock.
    let tabs = state.withLock { $0.tabs.count < Self.tabs ? [] : $0.tabs.values.map(\.self) }
    let stuck = tabs.first { $0.isStuck(at: now) }
    let isAdded = state.withLock { state in
      if let stuck { state.tabs[ObjectIdentifier(stuck)] = nil }
      guard !state.isClosed, state.tabs.count < Self.tabs else { return false }
      state.tabs[ObjectIdentifier(tab)] = tab
      return true
    }
    stuck?.end()
    return isAdded
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
