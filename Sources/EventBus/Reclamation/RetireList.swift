/// Objects that a channel no longer needs but that a delivery may still be reading: replaced lists and handlers of
/// cancelled subscribers.
///
/// An object is released once every thread that was in the channel when the object was retired has left. There are two
/// stages, so that a steady stream of deliveries cannot delay the oldest objects. Objects that are retired while a
/// batch waits for its readers join the next batch. The list is used under the channel's lock; the objects that
/// ``collect(readersOf:then:)`` returns are released outside it.
struct RetireList {
  private var fresh: [AnyObject] = []
  private var batch: [AnyObject] = []
  private var readers: [HazardRecord.Visit] = []

  var isEmpty: Bool { fresh.isEmpty && batch.isEmpty }

  mutating func retire(_ object: AnyObject) { fresh.append(object) }

  /// Removes and returns the objects that no thread can be reading any longer. Each reader of the remaining objects
  /// runs the reaction after it has left the channel with this number, so that the channel collects again.
  mutating func collect(readersOf channel: UInt64, then reaction: @escaping HazardRegistry.Reaction) -> [AnyObject] {
    var released: [AnyObject] = []
    while !isEmpty {
      if batch.isEmpty {
        swap(&batch, &fresh)
        findReaders(of: channel, then: reaction)
      }
      readers.removeAll(where: \.isOver)
      guard readers.isEmpty else { break }
      released += batch
      batch = []
    }
    return released
  }

  private mutating func findReaders(of channel: UInt64, then reaction: @escaping HazardRegistry.Reaction) {
    HazardRegistry.shared.forEach { record in
      guard record.isIn(channel) else { return }
      let visit = HazardRegistry.shared.awaitEnd(of: record, then: reaction)
      if let visit { readers.append(visit) }
    }
  }
}
