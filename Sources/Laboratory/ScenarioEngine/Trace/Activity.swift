/// What a run was made of.
struct Activity: Sendable, Equatable {
  /// In the order in which they were enqueued.
  var closures: [ClosureSpan] = []
  /// The subscriptions of the bus, as they came and went.
  var subscriptions: [CountChange] = []
}
