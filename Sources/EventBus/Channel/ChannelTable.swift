public import Synchronization

/// The channels of a bus, keyed by event type. Lookups take no lock, and channels are never removed.
@usableFromInline
final class ChannelTable: Sendable {
  @usableFromInline let current: Atomic<Unmanaged<ProbeTable>>
  private let writing: Locked<Writing>

  private struct Writing: Sendable {
    /// The last table is at most half full. Smaller tables are kept because a thread may still be reading them.
    var tables: [ProbeTable]
    var channels: [Channel] = []
  }

  init() {
    let table = ProbeTable(capacity: 16)
    current = Atomic(.passUnretained(table))
    writing = Locked(Writing(tables: [table]))
  }

  /// Returns the channel of a type, if it exists. The channel lives as long as the bus.
  @inlinable
  func find(_ type: any Event.Type) -> Unmanaged<Channel>? {
    current.load(ordering: .acquiring)._withUnsafeGuaranteedRef {
      $0.find(UInt(bitPattern: ObjectIdentifier(type))) { _ in true }.map { .fromOpaque($0) }
    }
  }

  /// Adds and returns a channel, unless another thread was first. In that case, returns that thread's channel.
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

  /// Closes the channels when the bus is released. At that point, no thread can be posting.
  func closeAll() {
    for channel in all { channel.close() }
  }
}
