/// All that is known of one run, to be judged.
struct RunRecord: Sendable {
  /// How things stand in the end.
  struct Final: Sendable, Equatable {
    var visible: [String: Bool] = [:]
    var images: [String: Scenario.ImageStateName] = [:]
  }

  /// A step with its place in the trace: how many events came before it.
  struct Mark: Sendable, Equatable {
    let step: Int
    let position: Int
  }

  /// Why a run did not come to its end.
  enum Cut: Sendable, Equatable {
    /// The step waits for something that does not happen.
    case waiting(step: Int)
    /// A fetch does not end.
    case fetching
    /// Something goes on for ever.
    case endless
    /// Nothing can go on: these places wait for each other.
    case deadlocked(waiting: [String])
  }

  var events: [TraceEvent] = []
  var marks: [Mark] = []
  /// What ran where, and who listened, if that was asked for.
  var activity = Activity()
  var final = Final()
  var leaks = Scenario.Leaks()
  /// The longest time that main was busy or blocked, where it was watched.
  var longestStall = Duration.zero
  var cut: Cut?
  /// Whether work waited for a worker while all of them were blocked, where the clock can tell.
  var poolStarved = false
  /// How long it took.
  var duration = Duration.zero
}
