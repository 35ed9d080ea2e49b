/// What a change under a lock has made useless, to be let go of once no lock is held: that may run code of others.
///
/// Unchecked because it only carries objects out of a lock, on one thread.
struct Released: @unchecked Sendable {
  /// A list, or a table of keys, that a thread in the channel may still be reading.
  var list: AnyObject?
  /// A handler that a thread in the channel may still be running.
  var handler: AnyObject?
  /// Whether it is known that no thread is in the channel.
  var isUnread = false
  var catchUp: Fifo<Envelope>?
  var others: [AnyObject] = []
}
