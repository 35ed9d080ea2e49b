public import Synchronization

/// A hash table of addresses with open addressing and linear probing. The key of an address is a number that need not
/// be unique. Lookups take no lock, but only one thread at a time may change the table. The table does not retain the
/// objects at the addresses.
@usableFromInline
final class ProbeTable: Sendable {
  @usableFromInline
  struct Slot: ~Copyable {
    /// The entry's number, or 0 while the slot is unused. Stored after ``address``.
    @usableFromInline let tag = Atomic<UInt>(0)
    /// The entry's address, or 0 after the entry was removed.
    @usableFromInline let address = Atomic<UInt>(0)
  }

  @usableFromInline let mask: Int
  @usableFromInline nonisolated(unsafe) let slots: UnsafeMutablePointer<Slot>

  /// - Parameter capacity: a power of two.
  init(capacity: Int) {
    mask = capacity - 1
    slots = .allocate(capacity: capacity)
    for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
  }

  deinit {
    slots.deinitialize(count: mask + 1)
    slots.deallocate()
  }

  var capacity: Int { mask + 1 }

  /// Returns the first matching entry with this nonzero tag.
  @inlinable
  func find(_ tag: UInt, where matches: (UnsafeRawPointer) -> Bool) -> UnsafeRawPointer? {
    var index = Self.start(tag) & mask
    while true {
      let found = slots[index].tag.load(ordering: .acquiring)
      if found == 0 { return nil }
      if found == tag {
        let address = slots[index].address.load(ordering: .sequentiallyConsistent)
        if let entry = UnsafeRawPointer(bitPattern: address), matches(entry) { return entry }
      }
      index = (index + 1) & mask
    }
  }

  /// Inserts an entry. The table must have a slot that has never been used. Returns whether the entry uses a slot that
  /// has never been used.
  @discardableResult
  func insert(_ tag: UInt, _ entry: UnsafeRawPointer) -> Bool {
    var index = Self.start(tag) & mask
    while slots[index].address.load(ordering: .relaxed) != 0 { index = (index + 1) & mask }
    let isNew = slots[index].tag.load(ordering: .relaxed) == 0
    slots[index].address.store(UInt(bitPattern: entry), ordering: .sequentiallyConsistent)
    slots[index].tag.store(tag, ordering: .releasing)
    return isNew
  }

  /// Returns a new table with the same entries.
  func copy(capacity: Int) -> ProbeTable {
    let copy = ProbeTable(capacity: capacity)
    forEach { copy.insert($0, $1) }
    return copy
  }

  func remove(_ tag: UInt, _ entry: UnsafeRawPointer) {
    var index = Self.start(tag) & mask
    while slots[index].address.load(ordering: .relaxed) != UInt(bitPattern: entry) { index = (index + 1) & mask }
    slots[index].address.store(0, ordering: .sequentiallyConsistent)
  }

  func forEach(_ body: (_ tag: UInt, _ entry: UnsafeRawPointer) -> Void) {
    for index in 0...mask {
      let address = slots[index].address.load(ordering: .relaxed)
      if let entry = UnsafeRawPointer(bitPattern: address) {
        body(slots[index].tag.load(ordering: .relaxed), entry)
      }
    }
  }

  /// Returns the slot at which a search starts. The hash suits addresses, which are aligned and close to each other.
  @inlinable
  static func start(_ tag: UInt) -> Int { Int(truncatingIfNeeded: (tag >> 4) ^ (tag >> 12) ^ tag) }
}
