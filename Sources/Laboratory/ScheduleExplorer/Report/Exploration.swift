/// The result of a search.
public struct Exploration: Sendable, CustomStringConvertible {
  /// The first schedule that failed, as small as it could be made; nil if none did.
  public internal(set) var failure: ExplorationFailure?
  /// The items of a replay, whether it failed or passed. Empty for a search.
  public internal(set) var scheduleTable = ""
  /// Where a loose replay left its token: its end then says nothing about the schedule of the token. Nil if it followed it.
  public internal(set) var mismatch: ReplayMismatch?
  /// What the search did.
  public internal(set) var statistics: Statistics

  /// The failure, or the figures.
  public var description: String {
    failure.map { "\($0)" } ?? "\(passed)\n\(statistics)"
  }

  private var passed: String {
    switch statistics.schedules {
    case 0: "no schedule ran"
    case 1: "the schedule that ran passes"
    case let count: "none of the \(count) schedules that ran fails"
    }
  }
}
