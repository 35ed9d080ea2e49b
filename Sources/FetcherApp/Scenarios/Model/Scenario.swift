import FetcherModel

/// A situation as a scenario file describes it: images, what the origin answers, what a person does, what must hold.
struct Scenario: Sendable, Equatable {
  /// What time is.
  enum Clock: String, Sendable, CaseIterable { case virtual, real }

  /// How far completions may move against the steps, on the virtual clock.
  enum Timing: Sendable, Equatable {
    case exact
    case any
    case slack(Duration)
  }

  /// The worker pool of the virtual clock.
  enum Pool: Sendable, Equatable {
    /// As many threads as cores, and one more a second.
    case linux(cores: Int)
    case darwin(limit: Int)
    case fixed(width: Int)
  }

  /// A picture that the origin makes.
  struct Image: Sendable, Equatable {
    var id = ""
    var path: UTF8Key = ""
    var size = Size()
  }

  /// A size in pixels.
  struct Size: Sendable, Equatable {
    var width = 64
    var height = 64
  }

  /// How the explorer searches.
  struct Exploration: Sendable, Equatable {
    /// In which order schedules are tried.
    enum Search: String, Sendable, CaseIterable { case mixed, fifo, bounded, random, pct }

    var search = Search.mixed
    /// The most schedules.
    var runs: Int?
    /// The most deviations from first in, first out.
    var delays: Int?
    /// The longest time, by the clock on the wall.
    var budget: Duration?
    /// The violations that are looked for.
    var find: [Invariant] = []
    /// The schedule that is known to show one.
    var token: String?
  }

  /// The seeds that there are: what JSON can carry without loss.
  static let seeds = 0...1 << 53
  /// The variant that ships.
  static let fixedVariant = "fixed"
  /// The view of a step that names none.
  static let standardView = "detail"

  /// The version of the file format.
  var format = 1
  var name = ""
  var title = ""
  var description = ""
  /// The id of the lesson it belongs to.
  var lesson: String?
  var seed = 0
  /// The clock of a run that is not told otherwise.
  var clock = Clock.virtual
  var timing = Timing.exact
  var pool = Pool.linux(cores: 2)
  /// Empty where the file names none.
  var strategies: [String] = []
  var variants = [fixedVariant]
  /// The clocks on which the expectations hold.
  var clocks = Clock.allCases
  var images: [Image] = []
  var origin = Origin()
  var steps: [Step] = []
  var expectations: [Expectation] = []
  var exploration: Exploration?

  /// The views that the steps speak of, in the order of their first step.
  var views: [String] {
    steps.reduce(into: []) { views, step in
      if let view = step.action.view, !views.contains(view) { views.append(view) }
    }
  }

  /// The time of the last step whose time the file tells.
  var latestStep: Duration {
    steps.reduce(into: StepTimes()) { times, step in times.add(step.id, at: times.time(of: step.start)) }.latest
  }
}
