/// An implementation of the work of a row.
public struct Contender {
  /// How a contender relates to the first contender of its row.
  public enum Role: String, Codable, Sendable {
    /// Not compared: the first contender, or a figure.
    case ours
    /// A competitor: the ratio states how many times faster the first contender is.
    case peer
    /// A lower bound: the ratio is the time of the first contender divided by the time of the floor.
    case floor
  }

  /// Performs the operation, or the burst of operations, the given number of times.
  public typealias Work = (_ repetitions: Int) -> Void

  enum Measure {
    case timed(operations: Int, prepare: () -> Work)
    case counted(() -> Double?)
  }

  let name: String
  let role: Role
  let bound: Double?
  let measure: Measure

  /// The first contender of a row, or one that is not compared. Its goal is at most `bound` in the row's unit.
  ///
  /// - Parameters:
  ///   - operations: the number of operations in one repetition.
  ///   - prepare: sets up the work once, outside the measured time. The row releases everything that the work captures.
  public static func ours(
    _ name: String, atMost bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .ours, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// A competitor. The goal of the first contender is to be at least `bound` times as fast.
  public static func peer(
    _ name: String, atLeast bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .peer, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// The minimal cost of the work. The goal of the first contender is at most `bound` times this time.
  public static func floor(
    _ name: String, atMost bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .floor, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// A figure in the row's unit that is read once. It is the same every time, or summarizes several attempts. Its goal is at most
  /// `bound`.
  ///
  /// - Parameter read: returns nil if the platform does not report the figure.
  public static func count(_ name: String, atMost bound: Double? = nil, _ read: @escaping () -> Double?) -> Contender {
    Contender(name: name, role: .ours, bound: bound, measure: .counted(read))
  }
}
