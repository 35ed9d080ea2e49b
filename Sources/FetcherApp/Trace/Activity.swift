/// What a run was made of.
struct Activity: Sendable, Equatable {
  /// In the order in which they were enqueued.
  var closures: [ClosureSpan] = []
  /// The numbers of those that have begun, in the order in which they did.
  var begun: [Int] = []
  /// The subscriptions of the bus, as they came and went.
  var subscriptions: [CountChange] = []
}
