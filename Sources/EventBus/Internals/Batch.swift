/// Events of one type that wait in one lane for the same subscribers.
///
/// They lie side by side, so that a burst allocates little and is delivered in one go. Filled under the lane's lock, until the
/// lane takes it out; from then on it is the lane's alone. That is what makes it sendable.
@usableFromInline
class Batch: Envelope, @unchecked Sendable {
  @usableFromInline final let memory: UnsafeMutableRawPointer
  @usableFromInline final let capacity: Int
  @exclusivity(unchecked) @usableFromInline final var count = 0
  @exclusivity(unchecked) @usableFromInline final var delivered = 0

  @inlinable
  init(
    _ channel: Channel, _ memory: UnsafeMutableRawPointer, capacity: Int,
    _ call: @escaping @Sendable (Envelope, Run, Run, Tally?, Frame) -> Int
  ) {
    self.memory = memory
    self.capacity = capacity
    super.init(channel, key: nil, call)
  }

  final var isFull: Bool { count == capacity }
}

/// Unchecked for the same reason as its superclass.
@usableFromInline
final class TypedBatch<E: Event>: Batch, @unchecked Sendable {
  /// A few for big events, many for small ones.
  @inlinable static var room: Int { max(1, min(64, 4096 / MemoryLayout<E>.stride)) }

  @inlinable
  init(_ channel: Channel) {
    let events = UnsafeMutablePointer<E>.allocate(capacity: Self.room)
    super.init(channel, events, capacity: Self.room) { envelope, first, second, _, frame in
      envelope.channel.deliver(unsafeDowncast(envelope, to: TypedBatch<E>.self), first, second, in: frame)
    }
  }

  deinit {
    let events = memory.assumingMemoryBound(to: E.self)
    (events + delivered).deinitialize(count: count - delivered)
    events.deallocate()
  }
}
