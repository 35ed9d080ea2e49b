import ScenarioFormat

/// All that is known of one run, to be judged.
package struct RunRecord: Sendable {
  /// How things stand in the end.
  package struct Final: Sendable, Equatable {
    var visible: [String: Bool] = [:]
    var images: [String: Scenario.ImageStateName] = [:]
  }

  /// A step with its position in the trace: how many events came before it.
  package struct Mark: Sendable, Equatable {
    package let step: Int
    package let position: Int
  }

  /// Why a run did not come to its end.
  enum Cut: Sendable, Equatable {
    /// Nothing is left to do, and the step waits for something that did not happen.
    case waiting(step: Int)
    /// Nothing is left to do, and a fetch or a request has no end.
    case fetching
    /// The time was up, and the step waits for something that did not happen.
    case waitingTooLong(step: Int)
    /// The time was up; with the step that was still to come, if there was one.
    case outOfTime(next: Int?)
    /// Something goes on for ever.
    case endless(Limit)
    /// Nothing can go on: these schedulers wait for each other.
    case deadlocked(waiting: [String])

    /// Whether more was to come: what has no end then may only have had no time for it.
    var isAbrupt: Bool {
      switch self {
      case .waiting, .fetching: false
      case .waitingTooLong, .outOfTime, .endless, .deadlocked: true
      }
    }
  }

  /// The number at which a run counts as endless.
  enum Limit: Sendable, Equatable {
    case events(Int)
    /// On the virtual clock.
    case closures(Int)
    /// While the virtual clock stood still.
    case closuresAtOnce(Int)
  }

  /// What the bus did, with how many events came before it.
  package struct Aside: Sendable, Equatable {
    package let position: Int
    package let event: RunEvent
  }

  /// A subscription that a view had after a step although it was not visible.
  struct HiddenSubscriber: Sendable, Equatable {
    let view: String
    let topic: String
    /// How many events there were then.
    let position: Int
  }

  package var events: [RunEvent] = []
  /// What the bus did for the model and its views, where that is shown and no pattern asks for it. It is not among the events then, so
  /// that their numbers are the same whether the bus is shown or not.
  package var asides: [Aside] = []
  /// The first one.
  var hiddenSubscriber: HiddenSubscriber?
  var marks: [Mark] = []
  /// The requests of the trace.
  var requests: [RequestLog.Request] = []
  /// What ran where, and who listened, if that was asked for.
  var activity = Activity()
  package var final = Final()
  var leaks = Scenario.Leaks()
  /// The longest time that main was busy or blocked, where it was watched.
  var longestStall = Duration.zero
  var cut: Cut?
  /// Whether work waited for a worker while all of them were blocked, where the clock can tell.
  var poolStarved = false
  /// How often something outside of the run meddled with its virtual time.
  var foreignCalls = 0
  /// How many closures ran, on the virtual clock.
  package var steps = 0
  /// How long it took.
  package var duration = Duration.zero
}

extension RunRecord {
  /// The events and what the bus did between them, in the order in which they happened, each event with its number, from one.
  package var shown: [(number: Int?, event: RunEvent)] {
    var shown: [(number: Int?, event: RunEvent)] = []
    var asides = asides[...]
    for (position, event) in events.enumerated() {
      while let aside = asides.first, aside.position <= position {
        shown.append((nil, aside.event))
        asides.removeFirst()
      }
      shown.append((position + 1, event))
    }
    return shown + asides.map { (nil, $0.event) }
  }
}
