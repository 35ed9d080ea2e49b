import Synchronization

/// What a channel no longer needs but a delivery may still be reading: replaced lists and the handlers of cancelled subscribers.
///
/// It is released once every thread that was in the channel when it was retired has left. Two stages, so that a steady
/// stream of deliveries cannot keep the oldest waiting: what is retired while a batch settles waits for the next batch.
/// Used under the channel's lock; what ``collect(_:)`` returns is let go of outside.
struct Limbo {
  private var fresh: [AnyObject] = []
  private var settling: [AnyObject] = []
  private var readers: [Reader] = []

  private struct Reader {
    let frame: Frame
    let entries: UInt64

    init?(_ frame: Frame, in channel: UInt64) {
      guard frame.isIn(channel) else { return nil }
      self.frame = frame
      entries = frame.storage.pointee.entries.load(ordering: .relaxed)
    }

    func hasLeft(_ channel: UInt64) -> Bool {
      !frame.isIn(channel) || frame.storage.pointee.entries.load(ordering: .acquiring) != entries
    }
  }

  var isEmpty: Bool { fresh.isEmpty && settling.isEmpty }

  mutating func retire(_ object: AnyObject) { fresh.append(object) }

  /// Takes out what nobody reads any more.
  mutating func collect(_ channel: UInt64) -> [AnyObject] {
    var released: [AnyObject] = []
    while true {
      if settling.isEmpty {
        if fresh.isEmpty { return released }
        swap(&settling, &fresh)
        FrameRegistry.shared.forEach { frame in
          if let reader = Reader(frame, in: channel) { readers.append(reader) }
        }
      }
      readers.removeAll { $0.hasLeft(channel) }
      guard readers.isEmpty else { return released }
      released += settling
      settling = []
    }
  }
}
