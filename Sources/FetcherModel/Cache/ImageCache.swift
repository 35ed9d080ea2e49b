import EventBus
import PlainText

/// A least-recently-used cache of pictures, limited by total size and, if you set a limit, by count. Its keys are
/// addresses, compared byte by byte, together with the header fields with which the pictures were fetched, except those
/// that the cache ignores. Safe to use from any thread.
public final class ImageCache: Sendable {
  private struct Entry {
    var picture: Picture
    var use: Int
  }

  private struct State {
    var entries: [PictureKey: Entry] = [:]
    /// Keys ordered by last use, oldest first. A key that was used again also has a newer entry, which makes its older
    /// entries stale.
    var uses: [(key: PictureKey, use: Int)] = []
    var head = 0
    var clock = 0
    var cost = 0
    var countLimit: Int
    var costLimit: Int

    mutating func touch(_ key: PictureKey) {
      clock += 1
      entries[key]?.use = clock
      uses.append((key, clock))
      if uses.count > 2 * entries.count + 64 {
        uses = uses[head...].filter { entries[$0.key]?.use == $0.use }
        head = 0
      }
    }

    /// Removes a picture. The caller releases it outside the lock.
    mutating func remove(_ key: PictureKey) -> Picture? {
      let old = entries.removeValue(forKey: key)?.picture
      cost -= old?.bytes.count ?? 0
      return old
    }

    /// Evicts pictures until the cache is within its limits. The caller releases the returned pictures outside the
    /// lock.
    mutating func trim() -> [Picture] {
      var removed: [Picture] = []
      while entries.count > countLimit || cost > costLimit, head < uses.count {
        let (key, use) = uses[head]
        head += 1
        guard entries[key]?.use == use, let entry = entries.removeValue(forKey: key) else { continue }
        cost -= entry.picture.bytes.count
        removed.append(entry.picture)
      }
      return removed
    }
  }

  private let state: Locked<State>
  /// The names of the header fields that keys do not contain, in lowercase.
  private let ignored: Set<String>

  /// Creates an empty cache.
  ///
  /// An app whose token changes keeps its pictures if the cache ignores the token:
  ///
  /// ```swift
  /// let cache = ImageCache(ignoredHeaders: ["Authorization"])
  /// ```
  ///
  /// - Parameters:
  ///   - countLimit: the maximum number of pictures, by default unlimited. With zero or less, the cache stores nothing.
  ///   - costLimit: the maximum total size of all encoded pictures, in bytes, by default 64 MiB.
  ///   - ignoredHeaders: the names of header fields, in any case, on which no picture depends. A picture that was
  ///     fetched with one value of such a field is returned for any other value. If the field identifies a user, call
  ///     ``removeAll()`` when another user signs in.
  public init(countLimit: Int = .max, costLimit: Int = 64 << 20, ignoredHeaders: Set<String> = []) {
    ignored = Set(ignoredHeaders.map { $0.lowercased() })
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
  ///
  /// - Parameters:
  ///   - address: the full address.
  ///   - headers: the header fields with which the picture was fetched.
  public func picture(for address: String, headers: HTTPHeaders = [:]) -> Picture? {
    picture(for: PictureKey(address, headers))
  }

  func picture(for key: PictureKey) -> Picture? {
    let key = storageKey(key)
    return state.withLock { state in
      guard let picture = state.entries[key]?.picture else { return nil }
      state.touch(key)
      return picture
    }
  }

  /// Stores a picture, replacing any earlier picture for the same address and header fields.
  ///
  /// A picture larger than ``costLimit`` is not stored, because it would evict every other picture.
  public func store(_ picture: Picture, for address: String, headers: HTTPHeaders = [:]) {
    store(picture, for: PictureKey(address, headers))
  }

  func store(_ picture: Picture, for key: PictureKey) {
    let key = storageKey(key)
    let removed = state.withLock { state in
      let old = state.remove(key)
      if picture.bytes.count <= state.costLimit {
        state.entries[key] = Entry(picture: picture, use: 0)
        state.cost += picture.bytes.count
        state.touch(key)
      }
      return (old, state.trim())
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes the picture stored for an address, so that the next image with this address fetches it. Images that have
  /// loaded the picture keep it; ``IFImage/startReloading()`` fetches it again.
  ///
  /// - Parameters:
  ///   - address: the full address.
  ///   - headers: the header fields with which the picture was fetched.
  /// - Returns: whether the cache contained the picture.
  @discardableResult public func removePicture(for address: String, headers: HTTPHeaders = [:]) -> Bool {
    removePicture(for: PictureKey(address, headers))
  }

  func removePicture(for key: PictureKey) -> Bool {
    let key = storageKey(key)
    return !remove { _ in [key] }.isEmpty
  }

  /// Returns the key without the header fields that the cache ignores.
  private func storageKey(_ key: PictureKey) -> PictureKey {
    guard !ignored.isEmpty else { return key }
    return PictureKey(key.address.text, key.headers.filter { !ignored.contains($0.name.lowercased()) })
  }

  /// Removes the pictures for an address, whatever the header fields with which they were fetched.
  public func removeAll(for address: String) {
    let address = UTF8String(address)
    withExtendedLifetime(remove { $0.filter { $0.address == address } }) {}
  }

  private func remove(_ keys: (Dictionary<PictureKey, Entry>.Keys) -> [PictureKey]) -> [Picture] {
    state.withLock { state in keys(state.entries.keys).compactMap { state.remove($0) } }
  }

  /// Removes all pictures, for example after a memory warning. Images that have loaded a picture keep it, until
  /// ``IFImage/unload()``.
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
