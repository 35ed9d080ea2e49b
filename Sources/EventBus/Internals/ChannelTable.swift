public import Synchronization

/// The channels of a bus by event type. Finding one takes no lock; channels are only ever added.
///
/// Unchecked because of the tables: a slot is written under the lock before the store that readers see it by, and never
/// changed.
@usableFromInline
final class ChannelTable: @unchecked Sendable {
  /// Open addressing: linear probing, at most half full. Replaced by a larger copy, and kept as long as the table, since
  /// somebody may be reading it.
  @usableFromInline
  final class Slots {
    @usableFromInline
    struct Slot: ~Copyable {
      /// The address of the metatype; 0 while the slot is free. Stored after ``channel``.
      @usableFromInline let type = Atomic<UInt>(0)
      @usableFromInline let channel = Atomic<UInt>(0)
    }

    @usableFromInline let mask: Int
    @usableFromInline let slots: UnsafeMutablePointer<Slot>

    init(capacity: Int) {
      mask = capacity - 1
      slots = .allocate(capacity: capacity)
      for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
    }

    deinit {
      slots.deinitialize(count: mask + 1)
      slots.deallocate()
    }

    func insert(_ type: UInt, _ channel: UInt) {
      var index = Self.start(type) & mask
      while slots[index].type.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
      slots[index].channel.store(channel, ordering: .relaxed)
      slots[index].type.store(type, ordering: .releasing)
    }

    /// Metatypes are aligned, and lie close to each other.
    @inlinable
    static func start(_ type: UInt) -> Int { Int(truncatingIfNeeded: (type >> 4) ^ (type >> 12)) }
  }

  @usableFromInline let current: Atomic<UnsafeRawPointer>
  private let writing: Locked<Writing>

  /// Unchecked for the same reason as the table.
  private struct Writing: @unchecked Sendable {
    var generations: [Slots]
    var channels: [ObjectIdentifier: Channel] = [:]
  }

  init() {
    let slots = Slots(capacity: 16)
    current = Atomic(UnsafeRawPointer(Unmanaged.passUnretained(slots).toOpaque()))
    writing = Locked(Writing(generations: [slots]))
  }

  /// The channel of a type, if there is one. It lives as long as the bus.
  @inlinable
  func find<E: Event>(_ type: E.Type) -> Unmanaged<Channel>? {
    let wanted = UInt(bitPattern: ObjectIdentifier(type))
    return Unmanaged<Slots>.fromOpaque(current.load(ordering: .acquiring))._withUnsafeGuaranteedRef { table in
      var index = Slots.start(wanted) & table.mask
      while true {
        let found = table.slots[index].type.load(ordering: .acquiring)
        if found == wanted {
          let channel = table.slots[index].channel.load(ordering: .relaxed)
          return Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: channel).unsafelyUnwrapped)
        }
        if found == 0 { return nil }
        index = (index + 1) & table.mask
      }
    }
  }

  /// Adds a channel, or returns the one that another thread was quicker to add.
  func insert(_ channel: Channel, for type: any Event.Type) -> Channel {
    let address = UInt(bitPattern: Unmanaged.passUnretained(channel).toOpaque())
    let id = ObjectIdentifier(type)
    return writing.withLock { writing in
      if let first = writing.channels[id] { return first }
      writing.channels[id] = channel
      let slots = writing.generations[writing.generations.count - 1]
      guard writing.channels.count * 2 > slots.mask else {
        slots.insert(UInt(bitPattern: id), address)
        return channel
      }
      let larger = Slots(capacity: (slots.mask + 1) * 2)
      for (id, channel) in writing.channels {
        larger.insert(UInt(bitPattern: id), UInt(bitPattern: Unmanaged.passUnretained(channel).toOpaque()))
      }
      writing.generations.append(larger)
      current.store(UnsafeRawPointer(Unmanaged.passUnretained(larger).toOpaque()), ordering: .releasing)
      return channel
    }
  }

  var all: [Channel] { writing.withLock { Array($0.channels.values) } }

  /// Lets go of the channels, for the bus that dies: channels hold what the table hangs from. Nobody posts any more.
  func removeAll() {
    let released = writing.withLock { writing in
      defer { writing.channels = [:] }
      return writing.channels
    }
    released.values.forEach { $0.close() }
  }
}
