import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// All hazard records of the process, with access to the current thread's records.
///
/// Records are never freed, so threads can read them without a lock. When a thread exits, its records become available
/// to another thread. The number of records is the maximum number of living threads that have delivered, plus the inner
/// records.
@usableFromInline
final class HazardRegistry: Sendable {
  @usableFromInline static let shared = HazardRegistry()

  private let newest = Atomic<UInt>(0)
  private let spare = Locked<[HazardRecord]>([])
  private let waiters = Locked<[Waiter]>([])
  let key: pthread_key_t

  /// The reaction to a change of a record's position. The reaction runs on the thread that owns the record.
  typealias Reaction = @Sendable () -> Void

  private struct Waiter: Sendable {
    let record: HazardRecord
    let bit: UInt8
    let hasCome: @Sendable () -> Bool
    let reaction: Reaction
  }

  private init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      let root: UnsafeMutableRawPointer? = pointer
      if let root {
        HazardRegistry.shared.giveBack(HazardRecord(storage: root.assumingMemoryBound(to: HazardRecord.Storage.self)))
      }
    }
    // Without this key, no thread can read a list of subscribers.
    if status != 0 { fatalError("The process has used all thread-local keys (pthread_key_create: \(status)).") }
    self.key = key
  }

  // MARK: Records of this thread

  /// The outermost record of this thread.
  var root: HazardRecord {
    @inline(__always) get {
      if let pointer = pthread_getspecific(key) {
        return HazardRecord(storage: pointer.assumingMemoryBound(to: HazardRecord.Storage.self))
      }
      return makeRoot()
    }
  }

  private func makeRoot() -> HazardRecord {
    let record = spare.withLock { $0.popLast() } ?? makeRecord()
    pthread_setspecific(key, record.storage)
    return record
  }

  private func giveBack(_ record: HazardRecord) { spare.withLock { $0.append(record) } }

  func inner(of record: HazardRecord) -> HazardRecord {
    if let inner = record.storage.pointee.inner { return inner }
    let inner = makeRecord()
    record.storage.pointee.inner = inner
    return inner
  }

  private func makeRecord() -> HazardRecord {
    // Each record gets two dedicated cache lines, because processors fetch adjacent lines in pairs.
    let stride = (MemoryLayout<HazardRecord.Storage>.size + 127) & ~127
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride, alignment: 128)
    let storage = memory.bindMemory(to: HazardRecord.Storage.self, capacity: 1)
    storage.initialize(to: HazardRecord.Storage())
    var newest = newest.load(ordering: .relaxed)
    while true {
      storage.pointee.previous = Self.record(at: newest)
      let (exchanged, original) = self.newest.weakCompareExchange(
        expected: newest, desired: UInt(bitPattern: storage), ordering: .sequentiallyConsistent)
      if exchanged { return HazardRecord(storage: storage) }
      newest = original
    }
  }

  private static func record(at address: UInt) -> HazardRecord? {
    UnsafeMutablePointer<HazardRecord.Storage>(bitPattern: address).map(HazardRecord.init(storage:))
  }

  // MARK: Records of all threads

  /// Returns the newest record that matches.
  func first(where matches: (HazardRecord) -> Bool) -> HazardRecord? {
    var next = Self.record(at: newest.load(ordering: .sequentiallyConsistent))
    while let record = next {
      if matches(record) { return record }
      next = record.storage.pointee.previous
    }
    return nil
  }

  func forEach(_ body: (HazardRecord) -> Void) {
    _ = first { record in
      body(record)
      return false
    }
  }

  /// Returns whether any thread is in the channel.
  func isAnyone(in channel: UInt64) -> Bool { first { $0.isIn(channel) } != nil }

  /// Makes the record's thread run the reaction after it has left its current channel. Returns nil if it has
  /// already left.
  func awaitEnd(of record: HazardRecord, then reaction: @escaping Reaction) -> HazardRecord.Visit? {
    let visit = HazardRecord.Visit(record: record, entry: record.entry)
    return observe(HazardRecord.leave, of: record, until: { visit.isOver }, then: reaction) ? visit : nil
  }

  /// Makes the record's thread run the reaction once its position has changed as awaited. Returns false if the change
  /// has already happened.
  private func observe(
    _ bit: UInt8, of record: HazardRecord, until hasCome: @escaping @Sendable () -> Bool,
    then reaction: @escaping Reaction
  ) -> Bool {
    waiters.withLock { waiters in
      let awaited = record.storage.pointee.awaited.load(ordering: .relaxed)
      record.storage.pointee.awaited.store(awaited | bit, ordering: .sequentiallyConsistent)
      // The change may have happened before the thread could see the bit.
      if hasCome() { return false }
      waiters.append(Waiter(record: record, bit: bit, hasCome: hasCome, reaction: reaction))
      return true
    }
  }

  func wakeWaiters(for record: HazardRecord) {
    let reactions = waiters.withLock { waiters in
      var reactions: [Reaction] = []
      var awaited: UInt8 = 0
      waiters.removeAll { waiter in
        guard waiter.record == record else { return false }
        if waiter.hasCome() {
          reactions.append(waiter.reaction)
          return true
        }
        awaited |= waiter.bit
        return false
      }
      record.storage.pointee.awaited.store(awaited, ordering: .sequentiallyConsistent)
      return reactions
    }
    for reaction in reactions { reaction() }
  }

  /// Blocks until no other thread is calling the subscriber with this ID. Returns immediately if this thread is itself
  /// calling it.
  func waitForCalls(of subscriptionID: UInt64, gate makeGate: () -> any Gate) {
    var mine: HazardRecord? = root
    while let record = mine {
      if record.isAt(subscriptionID) { return }
      mine = record.storage.pointee.inner
    }
    forEach { record in
      guard record.isAt(subscriptionID) else { return }
      let gate = makeGate()
      let mustWait = observe(
        HazardRecord.call, of: record, until: { !record.isAt(subscriptionID) }, then: { gate.open() })
      if mustWait { gate.wait() }
    }
  }
}
