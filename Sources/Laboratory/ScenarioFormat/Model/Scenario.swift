/// A scenario: images, the origin's answers, the steps of a user, and expectations.
package struct Scenario: Sendable, Equatable {
  /// The clock of a run.
  package enum Clock: String, Sendable, CaseIterable { case virtual, real }

  /// The variation of completions against the steps on the virtual clock.
  package enum Timing: Sendable, Equatable {
    case exact
    case any
    case slack(Duration)
  }

  /// The worker pool of the virtual clock.
  package enum Pool: Sendable, Equatable {
    /// As many threads as cores, and one more per second.
    case linux(cores: Int)
    case darwin(limit: Int)
    case fixed(width: Int)
  }

  /// A generated picture.
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

  /// The maximum number of cached pictures, and of their bytes.
  package struct Cache: Sendable, Equatable {
    package var pictures = 10
    package var bytes = 64 << 20
  }

  /// The limits and retries of a fetch.
  package struct Limits: Sendable, Equatable {
    package var retries = 0
    package var retryDelay = Duration.milliseconds(200)
    package var backoff = 1
    /// The maximum number of concurrent requests, or nil for no limit.
    package var inFlight: Int?
    package var deadline = Duration.seconds(60)
  }

  /// The effect of a disappearing view on the fetch of its picture.
  package enum Hiding: String, Sendable, CaseIterable {
    case keepLoading = "keep-loading"
    case cancel
  }

  /// The settings of the explorer.
  package struct Exploration: Sendable, Equatable {
    /// The order of schedules.
    package enum Search: String, Sendable, CaseIterable { case mixed, fifo, bounded, random, pct }

    package var search = Search.mixed
    /// The maximum number of schedules.
    package var runs: Int?
    /// The maximum number of deviations from first in, first out.
    package var delays: Int?
    /// The maximum real time.
    package var budget: Duration?
    /// The violations to find.
    package var find: [Invariant] = []
    /// A schedule that is known to show one.
    package var token: String?
  }

  /// The valid seeds: integers that JSON can represent exactly.
  package static let seeds = 0...1 << 53
  /// The default program.
  package static let standardProgram = "list-and-picture"
  /// The shipped variant.
  package static let fixedVariant = "fixed"
  /// The content of a view without an image.
  package static let shownWords = ["placeholder", "loading", "nothing"]
  /// The default view of a step.
  static let standardView = "detail"

  /// The version of the file format.
  package var format = 1
  package var name = ""
  package var title = ""
  package var description = ""
  /// The id of its lesson.
  var lesson: String?
  package var seed = 0
  /// The default clock of a run.
  package var clock = Clock.virtual
  package var timing = Timing.exact
  package var pool = Pool.linux(cores: 2)
  /// Empty if the file names none.
  package var strategies: [String] = []
  /// The program of the steps.
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

  /// The views of the steps, in the order of their first step.
  package var views: [String] {
    var known: Set<String> = []
    return steps.compactMap(\.action.view).filter { known.insert($0).inserted }
  }

  /// The total time for which steps keep main busy.
  var busyTime: Duration {
    steps.reduce(.zero) { if case .busy(let length) = $1.action { $0 + length } else { $0 } }
  }

  /// The time of the last step with a stated time.
  var latestStep: Duration {
    steps.reduce(into: StepTimes()) { times, step in times.add(step.id, at: times.time(of: step.start)) }.latest
  }
}
