import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// All frames of the process, and which of them belong to the current thread.
///
/// Frames are never freed, so that they can be read without a lock; a thread that ends leaves its own to the next. There
/// are as many as there were threads alive at one time that had delivered.
@usableFromInline
final class FrameRegistry: Sendable {
  @usableFromInline static let shared = FrameRegistry()

  private let newest = Atomic<UInt>(0)
  private let spare = Locked<[Frame]>([])
  private let waiters = Locked<[Waiter]>([])
  let key: pthread_key_t

  private struct Waiter: Sendable {
    let frame: Frame
    let ticket: UInt64
    let gate: any Gate
  }

  private init() {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      let root: UnsafeMutableRawPointer? = pointer
      if let root { FrameRegistry.shared.giveBack(Frame(storage: root.assumingMemoryBound(to: Frame.Storage.self))) }
    }
    precondition(status == 0, "The process has no thread-local key left.")
    self.key = key
  }

  // MARK: Frames of this thread

  /// The outermost frame of this thread.
  var root: Frame {
    @inline(__always) get {
      if let pointer = pthread_getspecific(key) {
        return Frame(storage: pointer.assumingMemoryBound(to: Frame.Storage.self))
      }
      return makeRoot()
    }
  }

  private func makeRoot() -> Frame {
    let frame = spare.withLock { $0.popLast() } ?? makeFrame()
    pthread_setspecific(key, frame.storage)
    return frame
  }

  private func giveBack(_ frame: Frame) { spare.withLock { $0.append(frame) } }

  func inner(of frame: Frame) -> Frame {
    if let inner = frame.storage.pointee.inner { return inner }
    let inner = makeFrame()
    frame.storage.pointee.inner = inner
    return inner
  }

  private func makeFrame() -> Frame {
    // Two cache lines of its own: neighbours fetch lines in pairs.
    let stride = (MemoryLayout<Frame.Storage>.size + 127) & ~127
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stride, alignment: 128)
    let storage = memory.bindMemory(to: Frame.Storage.self, capacity: 1)
    storage.initialize(to: Frame.Storage())
    var newest = newest.load(ordering: .relaxed)
    while true {
      storage.pointee.previous = Self.frame(at: newest)
      let (exchanged, original) = self.newest.weakCompareExchange(
        expected: newest, desired: UInt(bitPattern: storage), ordering: .sequentiallyConsistent)
      if exchanged { return Frame(storage: storage) }
      newest = original
    }
  }

  private static func frame(at address: UInt) -> Frame? {
    UnsafeMutablePointer<Frame.Storage>(bitPattern: address).map(Frame.init(storage:))
  }

  // MARK: Frames of all threads

  /// Whether some thread is in the channel.
  func isAnyone(in channel: UInt64) -> Bool {
    var next = Self.frame(at: newest.load(ordering: .sequentiallyConsistent))
    while let frame = next {
      if frame.isIn(channel) { return true }
      next = frame.storage.pointee.previous
    }
    return false
  }

  /// Calls `body` for every frame there is.
  func forEach(_ body: (Frame) -> Void) {
    var next = Self.frame(at: newest.load(ordering: .sequentiallyConsistent))
    while let frame = next {
      body(frame)
      next = frame.storage.pointee.previous
    }
  }

  /// Blocks until no other thread calls the subscriber with this ticket. Returns at once if this thread calls it itself.
  func waitForCalls(of ticket: UInt64, gate makeGate: () -> any Gate) {
    var mine: Frame? = root
    while let frame = mine {
      if frame.isAt(ticket) { return }
      mine = frame.storage.pointee.inner
    }
    forEach { frame in
      guard frame.isAt(ticket) else { return }
      let gate = makeGate()
      let mustWait = waiters.withLock { waiters in
        frame.storage.pointee.isAwaited.store(true, ordering: .sequentiallyConsistent)
        // The call may have ended before it could see the flag.
        guard frame.isAt(ticket) else { return false }
        waiters.append(Waiter(frame: frame, ticket: ticket, gate: gate))
        return true
      }
      if mustWait { gate.wait() }
    }
  }

  @usableFromInline
  func wakeWaiters(for frame: Frame) {
    let gates = waiters.withLock { waiters in
      var gates: [any Gate] = []
      waiters.removeAll { waiter in
        guard waiter.frame == frame, !frame.isAt(waiter.ticket) else { return false }
        gates.append(waiter.gate)
        return true
      }
      let stillAwaited = waiters.contains { $0.frame == frame }
      frame.storage.pointee.isAwaited.store(stillAwaited, ordering: .sequentiallyConsistent)
      return gates
    }
    gates.forEach { $0.open() }
  }
}
