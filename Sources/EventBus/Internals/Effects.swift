/// What a step under a channel's lock leaves to be done once the lock is given back, because it may run foreign code.
struct Effects: ~Copyable {
  /// How many mailboxes took the event.
  var accepted = 0
  /// Most posts wake one mailbox at most, and most cancels release one object.
  private var mailbox: Mailbox?
  private var released: AnyObject?
  private var rest: Rest?

  private final class Rest {
    var mailboxes: [Mailbox] = []
    var read: [(reader: UnsafeContinuation<Envelope?, Never>, envelope: Envelope)] = []
    var gates: [any Gate] = []
    var droppedBy: [Subscriber] = []
    var released: [AnyObject] = []
  }

  private var more: Rest {
    mutating get {
      let rest = rest ?? Rest()
      self.rest = rest
      return rest
    }
  }

  mutating func wake(_ mailbox: Mailbox) {
    if self.mailbox == nil { self.mailbox = mailbox } else { more.mailboxes.append(mailbox) }
  }

  mutating func resume(_ reader: UnsafeContinuation<Envelope?, Never>, with envelope: Envelope) {
    more.read.append((reader, envelope))
  }

  mutating func open(_ gates: [any Gate]) { if !gates.isEmpty { more.gates += gates } }

  mutating func dropped(by subscriber: Subscriber) { more.droppedBy.append(subscriber) }

  mutating func release(_ object: AnyObject) {
    if released == nil { released = object } else { more.released.append(object) }
  }

  mutating func release(_ objects: [AnyObject]) { if !objects.isEmpty { more.released += objects } }

  /// To be called with no lock held.
  consuming func perform(for channel: Channel) {
    mailbox?.wake()
    guard let rest else { return }
    for mailbox in rest.mailboxes { mailbox.wake() }
    for (reader, envelope) in rest.read { reader.resume(returning: envelope) }
    for gate in rest.gates { gate.open() }
    guard channel.core.isTracing else { return }
    for subscriber in rest.droppedBy { channel.emit(.dropped, subscriber) }
  }
}
