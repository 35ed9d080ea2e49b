public import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The state that the parts of one bus share: the runtime, the hooks, and the deliveries that have not ended. The bus and
/// each unfinished delivery retain it.
@usableFromInline
final class BusCore: Sendable {
  @usableFromInline let runtime: any Runtime
  private let records = HazardRegistry.shared
  @usableFromInline let isTracing: Bool
  private let trace: (@Sendable (TraceEvent) -> Void)?
  private let onFailure: (@Sendable (HandlerFailure) -> Void)?
  let inFlight = InFlightCounter()

  init(
    runtime: any Runtime, onFailure: (@Sendable (HandlerFailure) -> Void)?, trace: (@Sendable (TraceEvent) -> Void)?
  ) {
    self.runtime = runtime
    self.onFailure = onFailure
    self.trace = trace
    isTracing = trace != nil
  }

  // MARK: Hazard records

  /// Returns a record for a delivery on this thread, or nil if the thread is already delivering for this bus.
  @usableFromInline
  func beginDelivery() -> HazardRecord? {
    let root = records.root
    if root.storage.pointee.bus.load(ordering: .relaxed) == 0 {
      root.storage.pointee.bus.store(address, ordering: .relaxed)
      return root
    }
    if recordOfDelivery != nil { return nil }
    return begin(address)
  }

  /// Returns an idle record for a delivery on this thread, even if the thread is already delivering.
  func beginInnerDelivery() -> HazardRecord { begin(address) }

  /// Returns a record for reading lists, even if the thread is already delivering. Such a record does not defer the
  /// posts that this thread makes in the meantime.
  @usableFromInline
  func beginSection() -> HazardRecord { begin(HazardRecord.section) }

  private func begin(_ bus: UInt) -> HazardRecord {
    var record = records.root
    while record.storage.pointee.bus.load(ordering: .relaxed) != 0 { record = records.inner(of: record) }
    record.storage.pointee.bus.store(bus, ordering: .relaxed)
    return record
  }

  /// The innermost record with which this thread delivers for this bus.
  var recordOfDelivery: HazardRecord? {
    var found: HazardRecord?
    var next: HazardRecord? = records.root
    while let record = next {
      let bus = record.storage.pointee.bus.load(ordering: .relaxed)
      if bus == 0 { break }
      if bus == address { found = record }
      next = record.storage.pointee.inner
    }
    return found
  }

  /// Delivers pending posts. The record is then idle, and the next delivery on this thread can use it.
  @inlinable
  func end(_ record: HazardRecord) {
    if record.storage.pointee.hasDeferred { record.performDeferred() }
    record.storage.pointee.bus.store(0, ordering: .relaxed)
  }

  private var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  // MARK: Hooks

  func report(_ failure: HandlerFailure) {
    if let onFailure { return onFailure(failure) }
    System.report(
      "\(failure.fileID):\(failure.line): a handler for \(type(of: failure.event)) threw: \(failure.error)\n")
  }

  /// Reports a step of a post.
  @usableFromInline
  func emit<E: Event>(_ kind: TraceEvent.Kind, _ event: E, _ fileID: StaticString, _ line: UInt) {
    trace?(
      TraceEvent(
        kind: kind, time: runtime.now, thread: System.thread, type: E.self, event: event, subscriptionKey: nil,
        subscription: nil, name: nil, fileID: fileID, line: line))
  }

  /// Reports a step of a subscription.
  func emit(
    _ kind: TraceEvent.Kind, _ type: any Event.Type, _ event: (any Event)?, _ subscriber: Subscriber,
    key: (any Hashable & Sendable)?
  ) {
    trace?(
      TraceEvent(
        kind: kind, time: runtime.now, thread: System.thread, type: type, event: event, subscriptionKey: key,
        subscription: subscriber.subscriptionID, name: subscriber.name, fileID: subscriber.fileID, line: subscriber.line
      ))
  }

  // MARK: Draining

  /// Returns true once every accepted event has been handled, or false if the task is cancelled first. Once the wait has
  /// begun, `discardDead` discards the deliveries whose subscribers have all been cancelled.
  func drain(_ discardDead: () -> Void) async -> Bool {
    let isIdle = await inFlight.wait {
      // A subscription that is cancelled after this point discards its own deliveries.
      discardDead()
      resumeIfIdle()
    }
    // Reads the state again to tell the thread sanitizer that the handlers ran before this point. The sanitizer misses
    // this ordering if the continuation was resumed before the task had suspended.
    _ = inFlight.isPending || records.first { $0.delivers(for: address) } != nil
    return isIdle
  }

  /// Records that a waiting event was handled. Call this method with no lock held.
  func deliveryEnded() {
    if inFlight.remove() { resumeIfIdle() }
  }

  /// Resumes the waiting callers if all deliveries have ended. Call this method, with no lock held, after an event has been
  /// handled or a subscription was cancelled.
  func resumeIfIdle() {
    // The thread that ends the last delivery calls this method again.
    guard inFlight.isWatched, !inFlight.isPending else { return }
    inFlight.resumeAll { awaited in
      if let awaited, !awaited.isOver { return true }
      awaited = findDelivery()
      // Checked after the threads, because a handler's post is counted in ``inFlight`` before the handler's thread leaves
      // the channel.
      return awaited != nil || inFlight.isPending
    }
  }

  /// Returns a delivery that is in flight on some thread. That thread checks again when it leaves the channel.
  private func findDelivery() -> HazardRecord.Visit? {
    var found: HazardRecord.Visit?
    _ = records.first { record in
      guard record.delivers(for: address) else { return false }
      found = records.awaitEnd(of: record) { self.resumeIfIdle() }
      // The thread may have moved on to another bus before its entry was read. A handler of that bus may be waiting for
      // this bus.
      if !record.delivers(for: address) { found = nil }
      return found != nil
    }
    return found
  }
}

/// The services of the system that the bus uses.
enum System {
  /// A number for the current thread that is unique among running threads.
  static var thread: UInt64 {
    #if canImport(Darwin)
      var id: UInt64 = 0
      pthread_threadid_np(nil, &id)
      return id
    #elseif canImport(Musl)
      return UInt64(UInt(bitPattern: pthread_self()))
    #else
      return UInt64(pthread_self())
    #endif
  }

  /// An approximate time. It can lag by a few milliseconds, but is much faster to read than the exact time.
  static var coarseNanoseconds: Int {
    #if canImport(Darwin)
      return Int(clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX))
    #else
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    #endif
  }

  /// Yields the processor to other threads.
  static func yield() { sched_yield() }

  /// Writes to standard error, as a last resort for mistakes that no hook reports.
  static func report(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
