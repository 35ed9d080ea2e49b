/// A situation as a scenario file describes it: images, what the origin answers, what a person does, what must hold.
package struct Scenario: Sendable, Equatable {
  /// What time is.
  package enum Clock: String, Sendable, CaseIterable { case virtual, real }

  /// How far completions may vary against the steps, on the virtual clock.
  package enum Timing: Sendable, Equatable {
    case exact
    case any
    case slack(Duration)
  }

  /// The worker pool of the virtual clock.
  package enum Pool: Sendable, Equatable {
    /// As many threads as cores, and one more a second.
    case linux(cores: Int)
    case darwin(limit: Int)
    case fixed(width: Int)
  }

  /// A picture that the origin makes.
  package struct Image: Sendable, Equatable {
    package var id = ""
    package var path: ScenarioPath = ""
    package var size = Size()
  }

  /// A size in pixels.
  package struct Size: Sendable, Equatable {
    package var width = 64
    package var height = 64
  }

  /// How many pictures are kept, and of how many bytes together.
  package struct Cache: Sendable, Equatable {
    package var pictures = 10
    package var bytes = 64 << 20
  }

  /// How much a fetch may take, and how often it is tried.
  package struct Limits: Sendable, Equatable {
    package var retries = 0
    package var retryDelay = Duration.milliseconds(200)
    package var backoff = 1
    /// How many requests may run at once; nil for no limit.
    package var inFlight: Int?
    package var deadline = Duration.seconds(60)
  }

  /// What becomes of a fetch when the view that shows its picture disappears.
  package enum Hiding: String, Sendable, CaseIterable {
    case keepLoading = "keep-loading"
    case cancel
  }

  /// How the explorer searches.
  package struct Exploration: Sendable, Equatable {
    /// In which order schedules are tried.
    package enum Search: String, Sendable, CaseIterable { case mixed, fifo, bounded, random, pct }

    package var search = Search.mixed
    /// The most schedules.
    package var runs: Int?
    /// The most deviations from first in, first out.
    package var delays: Int?
    /// The longest time, by the clock on the wall.
    package var budget: Duration?
    /// The violations that are looked for.
    package var find: [Invariant] = []
    /// The schedule that is known to show one.
    package var token: String?
  }

  /// The seeds that there are: what JSON can carry without loss.
  package static let seeds = 0...1 << 53
  /// The program of a scenario that names none.
  package static let standardProgram = "list-and-picture"
  /// The variant that ships.
  package static let fixedVariant = "fixed"
  /// What a view shows where it shows no image.
  package static let shownWords = ["placeholder", "loading", "nothing"]
  /// The view of a step that names none.
  static let standardView = "detail"

  /// The version of the file format.
  package var format = 1
  package var name = ""
  package var title = ""
  package var description = ""
  /// The id of the lesson it belongs to.
  var lesson: String?
  package var seed = 0
  /// The default clock of a run.
  package var clock = Clock.virtual
  package var timing = Timing.exact
  package var pool = Pool.linux(cores: 2)
  /// Empty where the file names none.
  package var strategies: [String] = []
  /// The program that takes the steps.
  package var program = standardProgram
  package var variants = [fixedVariant]
  /// The clocks on which the expectations hold.
  package var clocks = Clock.allCases
  package var cache = Cache()
  package var limits = Limits()
  package var onDisappear = Hiding.keepLoading
  package var images: [Image] = []
  package var origin = Origin()
  package var steps: [Step] = []
  package var expectations: [Expectation] = []
  package var exploration: Exploration?

  /// The views that the steps speak of, in the order of their first step.
  package var views: [String] {
    var known: Set<String> = []
    return steps.compactMap(\.action.view).filter { known.insert($0).inserted }
  }

  /// How long steps keep main busy, all together.
  var busyTime: Duration {
    steps.reduce(.zero) { if case .busy(let length) = $1.action { $0 + length } else { $0 } }
  }

  /// The time of the last step whose time the file states.
  var latestStep: Duration {
    steps.reduce(into: StepTimes()) { times, step in times.add(step.id, at: times.time(of: step.start)) }.latest
  }
}
