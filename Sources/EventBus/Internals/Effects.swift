/// The deferred effects of a step under a channel's lock. The effects run after the lock is released, because they may
/// run client code.
struct Effects: ~Copyable {
  enum Effect {
    case wake(Mailbox)
    case resume(UnsafeContinuation<Envelope?, Never>, with: Envelope)
    case open(any Gate)
    case dropped(Subscriber)
    /// Discards an event that a cancelled subscriber had accepted.
    case discard(Envelope, of: Subscriber)
    /// Releases an object, after all other effects.
    case release(AnyObject)
  }

  /// The number of subscribers that accepted the event.
  var accepted = 0
  /// Most posts wake at most one mailbox, and most cancellations release one object. Neither case allocates memory or
  /// creates an effect.
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

  /// Performs the effects. Call this method with no lock held.
  consuming func perform(for channel: Channel) {
    woken?.wake()
    guard let rest else { return }
    channel.perform(rest)
    // This object must be released before the others, because its release may post. The optimizer does not preserve
    // this order by itself.
    withExtendedLifetime(rest) { released = nil }
  }
}

extension Channel {
  // Not inlined: most steps have no such effects, and ``Channel/locked(_:)`` is inlined into many functions.
  @inline(never)
  fileprivate func perform(_ effects: [Effects.Effect]) {
    for effect in effects {
      switch effect {
      case .wake(let mailbox): mailbox.wake()
      case .resume(let reader, let envelope): reader.resume(returning: envelope)
      case .open(let gate): gate.open()
      case .dropped(let subscriber): if core.isTracing { emit(.dropped, subscriber) }
      case .discard(let envelope, let subscriber): discard(envelope, of: subscriber)
      case .release: break
      }
    }
  }
}
