/// The times of steps, as far as a file states them.
struct StepTimes: Sendable {
  /// The time of each step that has an id; nil where it depends on what happens.
  private var byID: [String: Duration?] = [:]
  /// The latest time so far.
  private(set) var latest = Duration.zero
  /// Where the step stands that is the latest so far.
  private(set) var location = 0

  /// Whether there is such a step above.
  func knows(_ id: String) -> Bool { byID[id] != nil }

  /// When the step begins; nil where that depends on what happens.
  func time(of start: Scenario.Step.Start) -> Duration? {
    switch start {
    case .at(let time): time
    case .after(let id, let plus): (byID[id] ?? nil).map { $0 + plus }
    case .afterEvent: nil
    }
  }

  /// Takes a step in. Of two with one id the first one counts.
  mutating func add(_ id: String?, at time: Duration?, location: Int = 0) {
    if let time, time >= latest { (latest, self.location) = (time, location) }
    if let id, !knows(id) { byID[id] = .some(time) }
  }
}
