public import Synchronization

/// The channels of a bus by event type. The lookup takes no lock, and channels are never removed.
@usableFromInline
final class ChannelTable: Sendable {
  @usableFromInline let current: Atomic<Unmanaged<ProbeTable>>
  private let writing: Locked<Writing>

  private struct Writing: Sendable {
    /// At most half full. Smaller tables are kept, because a thread may be reading them.
    var tables: [ProbeTable]
    var channels: [Channel] = []
  }

  init() {
    let table = ProbeTable(capacity: 16)
    current = Atomic(.passUnretained(table))
    writing = Locked(Writing(tables: [table]))
  }

  /// The channel of a type, if it exists. It lives as long as the bus.
  @inlinable
  func find(_ type: any Event.Type) -> Unmanaged<Channel>? {
    current.load(ordering: .acquiring)._withUnsafeGuaranteedRef {
      $0.find(UInt(bitPattern: ObjectIdentifier(type))) { _ in true }.map { .fromOpaque($0) }
    }
  }

  /// Adds a channel, or returns the one that another thread added first.
  @usableFromInline
  func insert(_ channel: Channel, for type: any Event.Type) -> Channel {
    writing.withLock { writing in
      if let first = find(type) { return first.takeUnretainedValue() }
      writing.channels.append(channel)
      var table = writing.tables[writing.tables.count - 1]
      if writing.channels.count * 2 > table.capacity {
        table = table.copy(capacity: table.capacity * 2)
        writing.tables.append(table)
      }
      table.insert(
        UInt(bitPattern: ObjectIdentifier(type)), UnsafeRawPointer(Unmanaged.passUnretained(channel).toOpaque()))
      current.store(.passUnretained(table), ordering: .releasing)
      return channel
    }
  }

  var all: [Channel] { writing.withLock { $0.channels } }

  /// Releases the channels when the bus is released: they retain the owner of the table. No thread posts any more.
  func removeAll() {
    let released = writing.withLock { writing in
      defer { writing.channels = [] }
      return writing.channels
    }
    for channel in released { channel.close() }
  }
}
