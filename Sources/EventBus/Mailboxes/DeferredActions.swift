/// The actions that a step under a channel's lock defers until the lock is released, because they may run client code.
struct DeferredActions: ~Copyable {
  enum Action {
    case wake(Mailbox)
    case resume(UnsafeContinuation<Envelope?, Never>, with: Envelope)
    case open(any Gate)
    /// Reports that a full mailbox lost an event of a subscriber.
    case dropped(Subscriber, by: Caller)
    /// Discards an event that a cancelled subscriber had accepted.
    case discard(Envelope, of: Subscriber)
    /// Releases an object, after all other actions.
    case release(AnyObject)
  }

  /// The number of subscribers that accepted the event.
  var accepted = 0
  /// Most posts wake at most one mailbox, and most cancellations release one object. Neither case allocates memory or
  /// creates an action.
  private var mailboxToWake: Mailbox?
  private var objectToRelease: AnyObject?
  private var rest: [Action]?

  mutating func add(_ action: Action) {
    switch action {
    case .wake(let mailbox) where mailboxToWake == nil: mailboxToWake = mailbox
    default:
      rest = rest ?? []
      rest?.append(action)
    }
  }

  mutating func release(_ object: consuming AnyObject?) {
    if objectToRelease == nil { objectToRelease = object } else if let object { add(.release(object)) }
  }

  mutating func release(_ objects: some Sequence<AnyObject>) {
    for object in objects { release(object) }
  }

  /// Performs the actions. Call this method with no lock held.
  consuming func perform() {
    mailboxToWake?.wake()
    guard let rest else { return }
    Self.perform(rest)
    // This object must be released before the others, because its release may post. The optimizer does not preserve
    // this order by itself.
    withExtendedLifetime(rest) { objectToRelease = nil }
  }

  // Not inlined: most steps have no such actions, and ``Channel/locked(_:)`` is inlined into many functions.
  @inline(never)
  private static func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .wake(let mailbox): mailbox.wake()
      case .resume(let reader, let envelope): reader.resume(returning: envelope)
      case .open(let gate): gate.open()
      case .dropped(let subscriber, let caller): if caller.core.isTracing { caller.emit(.dropped, subscriber) }
      case .discard(let envelope, let subscriber): envelope.loss(of: subscriber).report()
      case .release: break
      }
    }
  }
}
