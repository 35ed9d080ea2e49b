/// A subscriber with its place in the channel. The channel's lock guards the place.
final class Registration: Subscriber, @unchecked Sendable {
  /// Where the subscriber's events go.
  enum Destination: Sendable {
    /// To the handler, on the posting thread.
    case posting
    case mailbox(Mailbox)
    case stream(StreamMailbox)
  }

  /// Where the set keeps the subscriber.
  enum Place {
    /// Among the inline subscribers or the streams.
    case list
    /// Among the subscribers of one mailbox. The set retains the group. A counted reference would cost each subscription
    /// an atomic operation.
    case group(Unmanaged<MailboxGroup>)
    /// Apart, until it has received the replay and what was posted in the meantime.
    case catchingUp(ReplayBacklog)
  }

  let destination: Destination
  @exclusivity(unchecked) var place = Place.list
  /// The set that contains the subscriber. The set lives at least as long as the subscriber is in it.
  @exclusivity(unchecked) var set: Unmanaged<SubscriberSet>?

  init(
    _ subscriptionID: UInt64, _ handler: consuming AnyObject, _ destination: consuming Destination,
    limit: BoundedBuffer?, priority: Int, name: String?, fileID: StaticString, line: UInt
  ) {
    self.destination = destination
    super.init(subscriptionID, handler, limit: limit, priority: priority, name: name, fileID: fileID, line: line)
  }

  var mailbox: Mailbox? { if case .mailbox(let mailbox) = destination { mailbox } else { nil } }

  var isInline: Bool { if case .posting = destination { true } else { false } }

  var backlog: ReplayBacklog? { if case .catchingUp(let backlog) = place { backlog } else { nil } }
}

extension Subscriber {
  /// The subscriber with its place. All subscribers of a channel are registrations.
  var registration: Registration { unsafeDowncast(self, to: Registration.self) }
}
