public import Synchronization

/// Calls the subscribers of one event type on this thread, and reports the results.
///
/// A caller knows neither the lists of subscribers nor mailboxes nor keys. ``Channel`` adds them.
///
/// `Sendable` is unchecked, because ``Channel`` inherits from this class. The properties of this class are constant.
@usableFromInline
class Caller: @unchecked Sendable {
  @usableFromInline final let core: BusCore
  final let type: any Event.Type
  final let operations: EventOperations
  /// The identity in a ``HazardRecord``: 24 bits, followed by 40 bits for the subscribers.
  @usableFromInline final let number: UInt64

  init(_ core: BusCore, _ type: any Event.Type, _ operations: EventOperations, number: UInt64) {
    self.core = core
    self.type = type
    self.operations = operations
    self.number = number
  }

  /// Ends a subscription. ``Channel`` overrides this method, because it also has to remove the subscriber from its lists.
  func cancel(_ subscriber: Subscriber) { _ = subscriber.end() }

  /// - Parameter key: the key of the subscription, for a step without an event.
  @usableFromInline
  final func emit(
    _ kind: TraceEvent.Kind, _ subscriber: Subscriber, _ event: (any Event)? = nil,
    key: (any Hashable & Sendable)? = nil
  ) {
    core.emit(kind, type, event, subscriber, key: key)
  }

  /// Calls the subscribers of both runs in order on this thread, which has entered the channel with `record`. Returns
  /// the number of calls. The acceptance is nil for an event that did not wait.
  @inlinable
  final func deliver<E: Event>(
    _ event: E, _ first: Run, _ second: Run, _ acceptance: Acceptance?, in record: HazardRecord
  ) -> Int {
    var called = 0
    var index = 0
    var secondIndex = 0
    while secondIndex < second.count {
      if index < first.count, first.precedes(at: index, second, at: secondIndex) {
        called &+= call(first, at: index, event, acceptance, record)
        index &+= 1
      } else {
        called &+= call(second, at: secondIndex, event, acceptance, record)
        secondIndex &+= 1
      }
    }
    while index < first.count {
      called &+= call(first, at: index, event, acceptance, record)
      index &+= 1
    }
    return called
  }

  @inlinable
  @inline(__always)
  final func call<E: Event>(
    _ run: Run, at index: Int, _ event: E, _ acceptance: Acceptance?, _ record: HazardRecord
  ) -> Int {
    run.slots.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef { subscriber in
      record.setPosition(subscriber.subscriptionID)
      guard subscriber.isLive.load(ordering: .sequentiallyConsistent) else {
        if let acceptance { skip(subscriber, event, acceptance) }
        return 0
      }
      if let acceptance, !acceptance.claim(for: subscriber) { return 0 }
      if _slowPath(core.isTracing) { return callTraced(subscriber, event, acceptance) }
      do {
        try Unmanaged<Handler<E>>.fromOpaque(subscriber.handler)._withUnsafeGuaranteedRef { try $0.call(event) }
      } catch {
        return failed(subscriber, error, event, acceptance)
      }
      return 1
    }
  }

  /// Calls a subscriber and traces the call. This code is separate so that the untraced call needs only one branch for
  /// tracing.
  @inlinable
  @inline(never)
  final func callTraced<E: Event>(_ subscriber: Subscriber, _ event: E, _ acceptance: Acceptance?) -> Int {
    emit(.delivering, subscriber, event)
    do {
      try Unmanaged<Handler<E>>.fromOpaque(subscriber.handler)._withUnsafeGuaranteedRef { try $0.call(event) }
    } catch {
      return failed(subscriber, error, event, acceptance)
    }
    emit(.delivered, subscriber, event)
    return 1
  }

  /// Handles an error that a call threw. Returns 1 if the handler ran, or 0 if it did not.
  @usableFromInline
  final func failed(
    _ subscriber: Subscriber, _ error: any Error, _ event: any Event, _ acceptance: Acceptance?
  ) -> Int {
    var error = error
    if let end = error as? EndOfSubscription {
      cancel(subscriber)
      switch end {
      case .unused:
        if acceptance != nil { discard(event, of: subscriber) }
        return 0
      case .used:
        if core.isTracing { emit(.delivered, subscriber, event) }
        return 1
      case .failed(let reason): error = reason
      }
    }
    if core.isTracing { emit(.failed, subscriber, event) }
    core.report(HandlerFailure(error: error, event: event, fileID: subscriber.fileID, line: subscriber.line))
    return 1
  }

  /// Skips a cancelled subscriber, which loses the event if it had accepted it.
  @usableFromInline
  @inline(never)
  final func skip<E: Event>(_ subscriber: Subscriber, _ event: E, _ acceptance: Acceptance) {
    guard acceptance.includes(cancelled: subscriber), acceptance.claim(for: subscriber) else { return }
    discard(event, of: subscriber)
  }

  /// Counts and traces the loss of an event that a subscriber had accepted.
  final func discard<E: Event>(_ event: E, of subscriber: Subscriber) {
    subscriber.countDrops()
    if core.isTracing { emit(.discarded, subscriber, event) }
  }
}

/// The handler, in a separate object. Calling it through a constant property of a class avoids reference counting. The
/// handler can be released while lists still hold the subscriber.
@usableFromInline
final class Handler<E: Event>: Sendable {
  @usableFromInline let call: @Sendable (E) throws -> Void

  @inlinable
  init(_ call: @escaping @Sendable (E) throws -> Void) { self.call = call }
}

/// The operations on events whose type is not known at the call site. The operations are compiled where the type is
/// known.
@usableFromInline
struct EventOperations: Sendable {
  @usableFromInline let stride: Int
  @usableFromInline
  typealias Deliver =
    @Sendable (
      Caller, UnsafeMutableRawPointer, Int?, TimeBudget?, Run, Run, Acceptance, HazardRecord
    ) -> Int

  /// Delivers the event at an address. If a count is given, delivers and releases up to that many events. The call
  /// stops early if a handler has posted or the budget is spent. Returns the number of delivered events.
  @usableFromInline let deliver: Deliver
  /// Releases the given number of events, starting at an address.
  @usableFromInline let release: @Sendable (UnsafeMutableRawPointer, Int) -> Void
  /// Returns the event at an address.
  @usableFromInline let event: @Sendable (UnsafeMutableRawPointer) -> any Event

  @inlinable
  init<E: Event>(_ type: E.Type) {
    stride = MemoryLayout<E>.stride
    deliver = { caller, memory, most, budget, first, second, acceptance, record in
      let events = memory.assumingMemoryBound(to: E.self)
      guard let most else {
        _ = caller.deliver(events.pointee, first, second, acceptance, in: record)
        return 1
      }
      var delivered = 0
      repeat {
        _ = caller.deliver(events[delivered], first, second, acceptance, in: record)
        // A thread that waits for the call to finish must not also wait for the event's deinit.
        if !_isPOD(E.self) { record.setPosition(caller.number) }
        (events + delivered).deinitialize(count: 1)
        delivered &+= 1
      } while delivered < most && !record.storage.pointee.hasDeferred && budget?.isSpent == false
      return delivered
    }
    release = { events, count in events.assumingMemoryBound(to: E.self).deinitialize(count: count) }
    event = { $0.assumingMemoryBound(to: E.self).pointee }
  }
}

/// The maximum time for which a mailbox keeps its scheduler from doing other work: about 10 ms.
@usableFromInline
struct TimeBudget {
  /// The core whose runtime provides the time. This property is nil for Dispatch, where a coarse clock is read after
  /// each event. Reading the exact clock would cost as much as a short call. The reference is not retained, because a
  /// budget is copied for each event. The mailbox retains the core.
  private let core: Unmanaged<BusCore>?
  private let deadline: Int

  init(_ core: BusCore) {
    self.core = core.runtime is DispatchRuntime ? nil : .passUnretained(core)
    let (deadline, isTooLate) = Self.now(self.core).addingReportingOverflow(10_000_000)
    self.deadline = isTooLate ? .max : deadline
  }

  @usableFromInline var isSpent: Bool { Self.now(core) >= deadline }

  private static func now(_ core: Unmanaged<BusCore>?) -> Int {
    core?._withUnsafeGuaranteedRef { $0.runtime.now.clampedNanoseconds } ?? System.coarseNanoseconds
  }
}

/// The first elements of a buffer, which are the subscribers that a post calls. A run is valid as long as its buffer
/// exists.
@usableFromInline
struct Run {
  @usableFromInline let slots: UnsafeMutablePointer<Unmanaged<Subscriber>>?
  @usableFromInline let count: Int

  @inlinable
  init(_ buffer: Unmanaged<SubscriberBuffer>?) {
    guard let buffer else {
      slots = nil
      count = 0
      return
    }
    (slots, count) = buffer._withUnsafeGuaranteedRef { ($0.slots, $0.count.load(ordering: .sequentiallyConsistent)) }
  }

  @usableFromInline
  init(_ snapshot: Snapshot) {
    slots = snapshot.buffer?.slots
    count = snapshot.count
  }

  /// Returns whether a merge of the two runs puts this run's subscriber before the other run's subscriber.
  @inlinable
  func precedes(at index: Int, _ other: Run, at otherIndex: Int) -> Bool {
    slots.unsafelyUnwrapped[index]._withUnsafeGuaranteedRef { one in
      other.slots.unsafelyUnwrapped[otherIndex]._withUnsafeGuaranteedRef { one.precedes($0) }
    }
  }
}
