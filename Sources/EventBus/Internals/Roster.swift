public import Synchronization

/// Those who are registered for a type without a key, or for one key of it.
///
/// Unchecked because everything but ``inline`` is only touched under the channel's lock.
@usableFromInline
final class Roster: @unchecked Sendable {
  /// The list of the inline subscribers, for posts that take no lock. Kept alive by ``inlineRoll`` and then by ``Limbo``.
  @usableFromInline let inline = Atomic<Unmanaged<SubscriberList>?>(nil)
  @exclusivity(unchecked) private(set) var inlineRoll = Roll()
  /// One for each lane that has subscribers here.
  @exclusivity(unchecked) private(set) var groups: ContiguousArray<LaneGroup> = []
  @exclusivity(unchecked) private var emptyGroups = 0
  @exclusivity(unchecked) private var groupsOfSerialLanes: [ObjectIdentifier: LaneGroup] = [:]
  @exclusivity(unchecked) private(set) var streams = Roll()
  /// Inline subscribers that are being given their replay.
  @exclusivity(unchecked) private(set) var catchingUp: [Subscriber] = []
  /// The newest events, as many as the type wants.
  @exclusivity(unchecked) var replay = Fifo<Envelope>()
  /// Set when the table of keys has let go of this roster: look the key up again.
  @exclusivity(unchecked) var isRetired = false

  /// The lane group that takes all events of this roster in batches: all subscribers are in it, and none of them has a limit.
  /// Changed under the lock; only a hint outside.
  let onlyGroup = Atomic<Unmanaged<LaneGroup>?>(nil)

  var isEmpty: Bool { isDeserted && replay.isEmpty }

  /// Whether nobody is registered.
  var isDeserted: Bool {
    inlineRoll.live == 0 && groups.count == emptyGroups && streams.live == 0 && catchingUp.isEmpty
  }

  func group(of lane: Lane) -> LaneGroup? { groupsOfSerialLanes[ObjectIdentifier(lane)] }

  // MARK: Changes. What is no longer used goes to `released`.

  func insert(_ subscriber: Subscriber, _ released: inout Released) {
    if subscriber.stream != nil {
      _ = streams.insert(subscriber, &released)
    } else if let lane = subscriber.lane {
      insert(subscriber, into: lane, &released)
    } else if subscriber.catchUp != nil {
      catchingUp.append(subscriber)
    } else {
      return insertInline(subscriber, &released)
    }
    findOnlyGroup()
  }

  private func insert(_ subscriber: Subscriber, into lane: Lane, _ released: inout Released) {
    if lane.isSerial, let group = group(of: lane) { return group.insert(subscriber, &released) }
    let made = LaneGroup(lane)
    made.insert(subscriber, &released)
    groups.append(made)
    if lane.isSerial { groupsOfSerialLanes[ObjectIdentifier(lane)] = made }
  }

  private func insertInline(_ subscriber: Subscriber, _ released: inout Released) {
    if inlineRoll.insert(subscriber, &released) { publishInline() }
  }

  func remove(_ subscriber: Subscriber, from channel: UInt64, _ released: inout Released) {
    if subscriber.stream != nil {
      _ = streams.remove(subscriber, readersOf: channel, &released)
    } else if let group = subscriber.group {
      group.remove(subscriber, from: channel, &released)
      if group.roll.live == 0 { forget(group, &released) }
    } else if subscriber.catchUp != nil {
      catchingUp.removeAll { $0 === subscriber }
    } else {
      if inlineRoll.remove(subscriber, readersOf: channel, &released) { publishInline() }
      return
    }
    findOnlyGroup()
  }

  /// Lets a subscriber that has been given its replay join the others.
  func admit(_ subscriber: Subscriber, _ released: inout Released) {
    catchingUp.removeAll { $0 === subscriber }
    subscriber.catchUp = nil
    insertInline(subscriber, &released)
  }

  private func findOnlyGroup() {
    var found: Unmanaged<LaneGroup>?
    if groups.count == 1, inlineRoll.list == nil, streams.live == 0, catchingUp.isEmpty {
      let group = groups[0]
      if group.roll.live > 0, group.bounded.isEmpty, group.lane.takesBatches { found = .passUnretained(group) }
    }
    onlyGroup.store(found, ordering: .relaxed)
  }

  private func forget(_ group: LaneGroup, _ released: inout Released) {
    emptyGroups += 1
    if group.lane.isSerial { groupsOfSerialLanes[ObjectIdentifier(group.lane)] = nil }
    guard emptyGroups * 2 > groups.count else { return }
    released.others = groups.filter { $0.roll.live == 0 }
    groups.removeAll { $0.roll.live == 0 }
    emptyGroups = 0
  }

  private func publishInline() {
    inline.store(inlineRoll.list.map(Unmanaged.passUnretained), ordering: .sequentiallyConsistent)
    findOnlyGroup()
  }

  /// For a channel that goes away.
  func abandon() {
    inlineRoll.forEachLive { $0.abandon() }
    streams.forEachLive { $0.abandon() }
    for group in groups { group.roll.forEachLive { $0.abandon() } }
    for subscriber in catchingUp { subscriber.abandon() }
  }
}
