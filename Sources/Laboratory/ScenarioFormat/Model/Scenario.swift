/// A scenario. It consists of images, the origin's responses, a user's steps, and expectations.
package struct Scenario: Sendable, Equatable {
  /// The clock on which a run takes place.
  package enum Clock: String, Sendable, CaseIterable { case virtual, real }

  /// The range in which completion times can vary, relative to the steps, on the virtual clock.
  package enum Timing: Sendable, Equatable {
    case exact
    case any
    case slack(Duration)
  }

  /// The worker pool that is simulated on the virtual clock.
  package enum Pool: Sendable, Equatable {
    /// One thread per core, and one more for each second in which all threads are blocked.
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

  /// The limits of the cache: the maximum number of pictures, and their maximum total size in bytes.
  package struct Cache: Sendable, Equatable {
    package var pictures = 10
    package var bytes = 64 << 20
  }

  /// The limits that apply to fetches, including retries.
  package struct Limits: Sendable, Equatable {
    package var retries = 0
    package var retryDelay = Duration.milliseconds(200)
    package var backoff = 1
    /// The maximum number of concurrent requests, or nil for no limit.
    package var inFlight: Int?
    /// The deadline in the file, if any.
    package var statedDeadline: Duration?
    /// Whether a fetch ends at its deadline. False in a search that ignores deadlines.
    package var endsAtDeadline = true
    /// The silence after which the client gives up, in seconds.
    package var timeoutSeconds = 60

    package var deadline: Duration { statedDeadline ?? .seconds(60) }
  }

  /// Whether a view's fetch continues or is cancelled when the view disappears.
  package enum Hiding: String, Sendable, CaseIterable {
    case keepLoading = "keep-loading"
    case cancel
  }

  /// The settings of the explorer.
  package struct Exploration: Sendable, Equatable {
    /// The order in which schedules are tried.
    package enum Search: String, Sendable, CaseIterable { case mixed, fifo, bounded, random, pct }

    package var search = Search.mixed
    /// The maximum number of schedules.
    package var runs: Int?
    /// The maximum number of deviations from first in, first out.
    package var delays: Int?
    /// The maximum real time for the search.
    package var budget: Duration?
    /// The violations that the search should find.
    package var find: [Invariant] = []
    /// The token of a schedule that is known to show a violation.
    package var token: String?
  }

  /// The valid seeds: integers that JSON can represent exactly.
  package static let seeds = 0...1 << 53
  /// The default program.
  package static let standardProgram = "list-and-picture"
  /// The name of the default variant.
  package static let fixedVariant = "fixed"
  /// The words that describe the content of a view without an image.
  package static let shownWords = ["placeholder", "loading", "nothing"]
  /// The view that a step refers to by default.
  static let standardView = "detail"

  /// The version of the file format.
  package var format = 1
  package var name = ""
  package var title = ""
  package var description = ""
  /// The id of the lesson that the scenario belongs to.
  var lesson: String?
  package var seed = 0
  /// The default clock of a run.
  package var clock = Clock.virtual
  package var timing = Timing.exact
  package var pool = Pool.linux(cores: 2)
  /// The strategies to run, or an empty list if the file names none.
  package var strategies: [String] = []
  /// The program that performs the steps.
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

  /// The views that steps refer to, in the order of their first occurrence.
  package var views: [String] {
    var known: Set<String> = []
    return steps.compactMap(\.action.view).filter { known.insert($0).inserted }
  }

  /// The total time that steps keep main busy.
  package var busyTime: Duration {
    steps.reduce(.zero) { if case .busy(let length) = $1.action { $0 + length } else { $0 } }
  }

  /// The latest start time of a step, as stated in the file.
  var latestStep: Duration {
    steps.reduce(into: StepTimes()) { times, step in times.add(step.id, at: times.time(of: step.start)) }.latest
  }
}
