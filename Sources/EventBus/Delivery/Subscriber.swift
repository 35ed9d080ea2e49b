/// What a token needs to know of a subscriber.
protocol AnySubscriber: AnyObject, Sendable {
  var isActive: Bool { get }
  func cancel()
}

/// One registered handler. The channel owns it; cancelling takes it out of the channel and lets go of the handler.
final class Subscriber<E: Event>: AnySubscriber {
  typealias Handler = @Sendable (E) throws -> Void

  /// Nil means inline.
  let lane: Lane?
  let priority: Int
  /// What a keyed channel files it under; nil means that it hears of every key.
  let key: (any Hashable & Sendable)?
  let fileID: StaticString
  let line: UInt
  private weak let channel: Channel<E>?
  private let handler: Locked<Boxed?>

  /// A closure that is the whole value of a lock is wrapped once more at every access (seen in Swift 6.3.1): 100,000 calls later
  /// the chain of wrappers overflows the stack. A structure around it is not.
  private struct Boxed: Sendable {
    let call: Handler
  }

  init(
    _ channel: Channel<E>, lane: Lane?, priority: Int, key: (any Hashable & Sendable)? = nil,
    fileID: StaticString, line: UInt, _ handler: @escaping Handler
  ) {
    self.channel = channel
    self.lane = lane
    self.priority = priority
    self.key = key
    self.fileID = fileID
    self.line = line
    self.handler = Locked(Boxed(call: handler))
  }

  var isActive: Bool { handler.withLock { $0 != nil } }

  func cancel() {
    let released = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    guard released != nil else { return }
    channel?.remove(self)
  }

  func deliver(_ event: E, reportingTo core: BusCore) {
    guard let handler = handler.withLock({ $0 }) else { return }
    do {
      try handler.call(event)
    } catch is OwnerIsGone {
      cancel()
    } catch {
      core.report(HandlerFailure(error: error, event: event, fileID: fileID, line: line))
    }
  }
}
