import Synchronization

/// Objects that a channel no longer needs but a delivery may still read: replaced lists and handlers of cancelled
/// subscribers.
///
/// An object is released after every thread that was in the channel at its retirement has left. There are two stages,
/// so that a steady stream of
/// deliveries cannot delay the oldest: objects that are retired while a batch waits for its readers wait for the next
/// batch. Used under the
/// channel's lock; the objects from ``collect(for:)`` are released outside it.
struct RetireList {
  private var fresh: [AnyObject] = []
  private var batch: [AnyObject] = []
  private var readers: [HazardRecord.Visit] = []

  var isEmpty: Bool { fresh.isEmpty && batch.isEmpty }

  mutating func retire(_ object: AnyObject) { fresh.append(object) }

  /// Removes the objects that no thread reads any more. The last reader of the others makes the channel call this
  /// again.
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
