/// A place in which closures run.
struct VirtualLane: Hashable, Sendable {
  let number: Int

  static let main = VirtualLane(number: 0)
  static let workers = VirtualLane(number: 1)
  /// Where the jobs of tasks run.
  static let tasks = VirtualLane(number: 2)

  /// Whether one closure runs at a time, in order.
  var isSerial: Bool { self != .workers && self != .tasks }
}
