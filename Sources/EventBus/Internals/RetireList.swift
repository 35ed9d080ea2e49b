import Synchronization

/// What a channel no longer needs but a delivery may still be reading: replaced lists and the handlers of cancelled subscribers.
///
/// It is released once every thread that was in the channel when it was retired has left. Two stages, so that a steady
/// stream of deliveries cannot keep the oldest waiting: what is retired while a batch waits for its readers waits for the next batch.
/// Used under the channel's lock; what ``collect(for:)`` returns is released outside.
struct RetireList {
  private var fresh: [AnyObject] = []
  private var batch: [AnyObject] = []
  private var readers: [HazardRecord.Visit] = []

  var isEmpty: Bool { fresh.isEmpty && batch.isEmpty }

  mutating func retire(_ object: AnyObject) { fresh.append(object) }

  /// Takes out what nobody reads any more. The last reader of the rest has the channel call this again.
  mutating func collect(for channel: Channel) -> [AnyObject] {
    var released: [AnyObject] = []
    while !isEmpty {
      if batch.isEmpty {
        swap(&batch, &fresh)
        findReaders(of: channel)
      }
      readers.removeAll(where: \.isOver)
      guard readers.isEmpty else { break }
      released += batch
      batch = []
    }
    return released
  }

  private mutating func findReaders(of channel: Channel) {
    HazardRegistry.shared.forEach { record in
      guard record.isIn(channel.number) else { return }
      let visit = HazardRegistry.shared.awaitEnd(of: record) { channel.releaseRetired() }
      if let visit { readers.append(visit) }
    }
  }
}
