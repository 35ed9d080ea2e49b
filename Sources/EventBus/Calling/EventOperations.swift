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
