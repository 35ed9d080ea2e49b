/// One way of doing the work of a row.
public struct Contender {
  /// What a contender is to the first of its row.
  public enum Role: String, Codable, Sendable {
    /// Measured for its own sake.
    case ours
    /// Compared by how many times faster the first is.
    case peer
    /// Compared by how many times its time the first takes.
    case floor
  }

  /// Does the operation, or the burst of operations, as often as told.
  public typealias Work = (_ repetitions: Int) -> Void

  enum Measure {
    case timed(operations: Int, prepare: () -> Work)
    case counted(() -> Double?)
  }

  let name: String
  let role: Role
  let bound: Double?
  let measure: Measure

  /// Measured for its own sake, or as the first of a row. It is to take `atMost` so many of the row's unit.
  ///
  /// - Parameters:
  ///   - operations: how many operations one repetition does.
  ///   - prepare: builds what the work needs, once, outside the measured time. What the work captures dies with the row.
  public static func ours(
    _ name: String, atMost bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .ours, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// Somebody than whom the first of the row is to be faster, `atLeast` so many times.
  public static func peer(
    _ name: String, atLeast bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .peer, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// The least that the work can cost. The first of the row is to take `atMost` so many times as long.
  public static func floor(
    _ name: String, atMost bound: Double? = nil, operations: Int = 1, _ prepare: @escaping () -> Work
  ) -> Contender {
    Contender(name: name, role: .floor, bound: bound, measure: .timed(operations: operations, prepare: prepare))
  }

  /// A figure of the row's unit that is read once: it is the same every time, or sums up several attempts. It is to be
  /// `atMost` so many.
  ///
  /// - Parameter read: returns nil where the platform does not tell.
  public static func count(_ name: String, atMost bound: Double? = nil, _ read: @escaping () -> Double?) -> Contender {
    Contender(name: name, role: .ours, bound: bound, measure: .counted(read))
  }
}
