public import Synchronization

/// The rosters of a channel by key. Threads that are in the channel find without a lock; changes are made under the
/// channel's lock.
///
/// Unchecked for that reason.
@usableFromInline
final class KeyTable<Key: Hashable & Sendable>: @unchecked Sendable {
  /// Open addressing, at most three quarters full. Entries are only ever added; keys that nobody uses any more go when the
  /// table is next copied.
  ///
  /// Unchecked because an entry is written under the channel's lock before its hash, by which readers see it, and never
  /// changed.
  @usableFromInline
  final class Slots: @unchecked Sendable {
    @usableFromInline
    struct Slot: ~Copyable {
      /// The hash of the key; 0 while the slot is free. Stored last.
      @usableFromInline let hash = Atomic<UInt>(0)
      @usableFromInline var entry: (key: Key, roster: Unmanaged<Roster>)?

      init() {}
    }

    @usableFromInline let mask: Int
    @usableFromInline let slots: UnsafeMutablePointer<Slot>

    init(capacity: Int) {
      mask = capacity - 1
      slots = .allocate(capacity: capacity)
      for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
    }

    deinit {
      for index in 0...mask { slots[index].entry?.roster.release() }
      slots.deinitialize(count: mask + 1)
      slots.deallocate()
    }

    func insert(_ key: Key, hash: UInt, _ roster: Roster) {
      var index = Int(bitPattern: hash) & mask
      while slots[index].hash.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
      slots[index].entry = (key, .passRetained(roster))
      slots[index].hash.store(hash, ordering: .releasing)
    }
  }

  @usableFromInline let current: Atomic<Unmanaged<Slots>>
  private var slots = Slots(capacity: 8)
  private var used = 0
  /// Changes whenever a key is added.
  private let insertions = Atomic<Int>(0)

  init() { current = Atomic(.passUnretained(slots)) }

  var version: Int { insertions.load(ordering: .sequentiallyConsistent) }

  /// Never 0.
  @inlinable
  static func hash(_ key: Key) -> UInt { UInt(bitPattern: key.hashValue) | 1 << 63 }

  @inlinable
  func find(_ key: Key, hash: UInt) -> Unmanaged<Roster>? {
    current.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef { table in
      var index = Int(bitPattern: hash) & table.mask
      while true {
        let found = table.slots[index].hash.load(ordering: .acquiring)
        if found == 0 { return nil }
        if found == hash, let roster = table.slots[index].roster(ifKeyIs: key) { return roster }
        index = (index + 1) & table.mask
      }
    }
  }

  /// Adds a key that is not there. Returns a table that is no longer used, for the limbo.
  func insert(_ key: Key, hash: UInt, _ roster: Roster) -> Slots? {
    defer { insertions.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    used += 1
    guard used * 4 > (slots.mask + 1) * 3 else {
      slots.insert(key, hash: hash, roster)
      return nil
    }
    let old = slots
    let kept = (0...old.mask).filter { old.slots[$0].isWorthKeeping }
    var capacity = 8
    while capacity < (kept.count + 1) * 2 { capacity *= 2 }
    slots = Slots(capacity: capacity)
    for index in 0...old.mask { old.slots[index].move(to: slots) }
    slots.insert(key, hash: hash, roster)
    used = kept.count + 1
    current.store(.passUnretained(slots), ordering: .sequentiallyConsistent)
    return old
  }

  var rosters: [Roster] {
    (0...slots.mask).compactMap { slots.slots[$0].entry?.roster.takeUnretainedValue() }
  }
}

extension KeyTable.Slots.Slot {
  @inlinable
  func roster(ifKeyIs key: Key) -> Unmanaged<Roster>? {
    guard let entry, entry.key == key else { return nil }
    return entry.roster
  }

  var isWorthKeeping: Bool { entry.map { !$0.roster.takeUnretainedValue().isEmpty } ?? false }

  /// Copies an entry that is in use; tells those that found the roster of another to look again.
  func move(to slots: KeyTable<Key>.Slots) {
    guard let entry else { return }
    let roster = entry.roster.takeUnretainedValue()
    if roster.isEmpty {
      roster.isRetired = true
    } else {
      slots.insert(entry.key, hash: hash.load(ordering: .relaxed), roster)
    }
  }
}
