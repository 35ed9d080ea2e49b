/// A count that went up or down.
struct CountChange: Sendable, Equatable {
  /// Since the run began.
  let time: Duration
  /// By how much.
  let change: Int
}
