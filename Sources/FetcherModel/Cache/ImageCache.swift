import EventBus
import PlainText

/// A least-recently-used cache of pictures, limited by count and by total size. Addresses are compared byte by byte.
/// Safe to use from any thread.
public final class ImageCache: Sendable {
  private struct Entry {
    var picture: Picture
    var use: Int
  }

  private struct State {
    var entries: [UTF8String: Entry] = [:]
    /// Addresses ordered by last use, oldest first. An address that was used again also has a newer entry, which makes
    /// its older entries stale.
    var uses: [(address: UTF8String, use: Int)] = []
    var head = 0
    var clock = 0
    var cost = 0
    var countLimit: Int
    var costLimit: Int

    mutating func touch(_ address: UTF8String) {
      clock += 1
      entries[address]?.use = clock
      uses.append((address, clock))
      if uses.count > 2 * entries.count + 64 {
        uses = uses[head...].filter { entries[$0.address]?.use == $0.use }
        head = 0
      }
    }

    /// Evicts pictures until the cache is within its limits. The caller releases the returned pictures outside the
    /// lock.
    mutating func trim() -> [Picture] {
      var removed: [Picture] = []
      while entries.count > countLimit || cost > costLimit, head < uses.count {
        let (address, use) = uses[head]
        head += 1
        guard entries[address]?.use == use, let entry = entries.removeValue(forKey: address) else { continue }
        cost -= entry.picture.bytes.count
        removed.append(entry.picture)
      }
      return removed
    }
  }

  private let state: Locked<State>

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - countLimit: the maximum number of pictures. With zero or less, the cache stores nothing.
  ///   - costLimit: the maximum total size of all pictures, in bytes.
  public init(countLimit: Int = 10, costLimit: Int = 64 << 20) {
    state = Locked(State(countLimit: countLimit, costLimit: costLimit))
  }

  /// The number of cached pictures.
  public var count: Int { state.withLock { $0.entries.count } }
  /// The total size of all cached pictures, in bytes.
  public var cost: Int { state.withLock { $0.cost } }

  /// The maximum number of pictures. Lowering it evicts pictures immediately.
  public var countLimit: Int {
    get { state.withLock { $0.countLimit } }
    set { withExtendedLifetime(change { $0.countLimit = newValue }) {} }
  }

  /// The maximum total size in bytes. Lowering it evicts pictures immediately.
  public var costLimit: Int {
    get { state.withLock { $0.costLimit } }
    set { withExtendedLifetime(change { $0.costLimit = newValue }) {} }
  }

  /// Returns the picture stored for an address, and marks it as most recently used.
  public func picture(for address: String) -> Picture? {
    let address = UTF8String(address)
    return state.withLock { state in
      guard let picture = state.entries[address]?.picture else { return nil }
      state.touch(address)
      return picture
    }
  }

  /// Stores a picture, replacing any earlier picture for the same address.
  ///
  /// A picture larger than ``costLimit`` is not stored, because it would evict every other picture.
  public func store(_ picture: Picture, for address: String) {
    let address = UTF8String(address)
    let removed = state.withLock { state in
      let old = state.entries.removeValue(forKey: address)
      state.cost -= old?.picture.bytes.count ?? 0
      if picture.bytes.count <= state.costLimit {
        state.entries[address] = Entry(picture: picture, use: 0)
        state.cost += picture.bytes.count
        state.touch(address)
      }
      return (old?.picture, state.trim())
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes all pictures, for example after a memory warning.
  public func removeAll() {
    let old = state.withLock { state in
      defer {
        state.entries = [:]
        state.uses = []
        state.head = 0
        state.cost = 0
      }
      return state.entries
    }
    withExtendedLifetime(old) {}
  }

  private func change(_ limit: (inout State) -> Void) -> [Picture] {
    state.withLock { state in
      limit(&state)
      return state.trim()
    }
  }
}
