/// What a step under a channel's lock leaves to be done once the lock is given back, because it may run foreign code.
struct Effects: ~Copyable {
  enum Effect {
    case wake(Mailbox)
    case resume(UnsafeContinuation<Envelope?, Never>, with: Envelope)
    case open(any Gate)
    case dropped(Subscriber)
    /// The last of all.
    case release(AnyObject)
  }

  /// How many mailboxes took the event.
  var accepted = 0
  /// Most posts wake one mailbox at most, and most cancels release one object: neither allocates, nor makes an effect.
  private var woken: Mailbox?
  private var released: AnyObject?
  private var rest: [Effect]?

  mutating func add(_ effect: Effect) {
    switch effect {
    case .wake(let mailbox) where woken == nil: woken = mailbox
    default:
      rest = rest ?? []
      rest?.append(effect)
    }
  }

  mutating func release(_ object: consuming AnyObject?) {
    if released == nil { released = object } else if let object { add(.release(object)) }
  }

  mutating func release(_ objects: some Sequence<AnyObject>) {
    for object in objects { release(object) }
  }

  /// To be called with no lock held.
  consuming func perform(for channel: Channel) {
    woken?.wake()
    guard let rest else { return }
    channel.perform(rest)
    // What was first to be released is released first: it may post. The optimiser does not know of that order.
    withExtendedLifetime(rest) { released = nil }
  }
}

extension Channel {
  // Most have nothing here, and ``Channel/locked(_:)`` is inlined in many functions.
  @inline(never)
  fileprivate func perform(_ effects: [Effects.Effect]) {
    for effect in effects {
      switch effect {
      case .wake(let mailbox): mailbox.wake()
      case .resume(let reader, let envelope): reader.resume(returning: envelope)
      case .open(let gate): gate.open()
      case .dropped(let subscriber): if core.isTracing { emit(.dropped, subscriber) }
      case .release: break
      }
    }
  }
}
