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

  var isEmpty: Bool {
    inlineRoll.live == 0 && groups.count == emptyGroups && streams.live == 0 && catchingUp.isEmpty && replay.isEmpty
  }

  func group(of lane: Lane) -> LaneGroup? { groupsOfSerialLanes[ObjectIdentifier(lane)] }

  // MARK: Changes. Each returns what is no longer used, for the limbo: it must not be released under the lock, because what
  // dead subscribers still hold may run foreign code.

  func insert(_ subscriber: Subscriber) -> AnyObject? {
    if subscriber.stream != nil { return streams.change { $0.insert(subscriber) } }
    if let lane = subscriber.lane { return insert(subscriber, into: lane) }
    if subscriber.catchUp == nil { return changeInline { $0.insert(subscriber) } }
    catchingUp.append(subscriber)
    return nil
  }

  private func insert(_ subscriber: Subscriber, into lane: Lane) -> AnyObject? {
    if lane.isSerial, let group = group(of: lane) { return group.insert(subscriber) }
    let made = LaneGroup(lane)
    groups.append(made)
    if lane.isSerial { groupsOfSerialLanes[ObjectIdentifier(lane)] = made }
    return made.insert(subscriber)
  }

  func remove(_ subscriber: Subscriber) -> [AnyObject] {
    if subscriber.stream != nil { return streams.change { $0.noteCancelled() }.map { [$0] } ?? [] }
    if let group = subscriber.group {
      let list = group.remove(subscriber).map { [$0] as [AnyObject] } ?? []
      return group.roll.live == 0 ? list + forget(group) : list
    }
    if subscriber.catchUp == nil { return changeInline { $0.noteCancelled() }.map { [$0] } ?? [] }
    catchingUp.removeAll { $0 === subscriber }
    return []
  }

  /// Lets a subscriber that has been given its replay join the others.
  func admit(_ subscriber: Subscriber) -> AnyObject? {
    catchingUp.removeAll { $0 === subscriber }
    subscriber.catchUp = nil
    return changeInline { $0.insert(subscriber) }
  }

  private func forget(_ group: LaneGroup) -> [AnyObject] {
    emptyGroups += 1
    if group.lane.isSerial { groupsOfSerialLanes[ObjectIdentifier(group.lane)] = nil }
    guard emptyGroups * 2 > groups.count else { return [] }
    let empty = groups.filter { $0.roll.live == 0 }
    groups.removeAll { $0.roll.live == 0 }
    emptyGroups = 0
    return Array(empty)
  }

  private func changeInline(_ change: (inout Roll) -> Bool) -> SubscriberList? {
    let old = inlineRoll.list
    guard change(&inlineRoll) else { return nil }
    inline.store(inlineRoll.list.map(Unmanaged.passUnretained), ordering: .sequentiallyConsistent)
    return old
  }

  /// For a channel that goes away.
  func abandon() {
    inlineRoll.forEachLive { $0.abandon() }
    streams.forEachLive { $0.abandon() }
    for group in groups { group.roll.forEachLive { $0.abandon() } }
    for subscriber in catchingUp { subscriber.abandon() }
  }
}
