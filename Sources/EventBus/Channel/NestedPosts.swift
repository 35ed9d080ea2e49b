/// The posts that handlers made on one thread, and that wait until the thread has delivered the current event.
final class NestedPosts: DeferredWork {
  enum Entry {
    /// An event that a handler posted, or an event for a subscriber that must first catch up with its replay.
    case delivery(PendingDelivery, after: (backlog: ReplayBacklog, channel: Channel)?)
    /// The replay for a subscription that a handler created.
    case catchUp(Registration, Channel)
  }

  private var waiting = RingBuffer<Entry>()

  /// Adds an entry to those of a record of this thread.
  static func add(_ entry: Entry, to record: HazardRecord) {
    if let posts = posts(of: record) {
      posts.waiting.append(entry)
    } else {
      let posts = NestedPosts()
      posts.waiting.append(entry)
      record.storage.pointee.deferred = posts
    }
    record.storage.pointee.hasDeferred = true
  }

  static func last(of record: HazardRecord) -> Entry? { posts(of: record)?.waiting.last }

  // The bus defers nothing else in its records.
  private static func posts(of record: HazardRecord) -> NestedPosts? {
    record.storage.pointee.deferred.map { unsafeDowncast($0, to: NestedPosts.self) }
  }

  override func perform(in record: HazardRecord) {
    // The delivery ends only when the event is released, because its deinit may post.
    while let core = performFirst(in: record) { core.deliveryEnded() }
  }

  private func performFirst(in record: HazardRecord) -> BusCore? {
    switch waiting.popFirst() {
    case .delivery(let delivery, let obstacle):
      if let obstacle { obstacle.channel.wait(for: obstacle.backlog) }
      repeat { delivery.deliver(in: record) } while !delivery.envelope.isDelivered
      return delivery.envelope.caller.core
    case .catchUp(let subscriber, let channel):
      channel.catchUp(subscriber, in: record)
      return channel.core
    case nil: return nil
    }
  }
}
