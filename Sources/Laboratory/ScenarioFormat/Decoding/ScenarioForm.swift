/// The field table of a scenario. The fields are decoded in this order, because expectations refer to steps.
enum ScenarioForm {
  /// A whole file. Created once, because that takes longer than decoding a file.
  static let scenario: ValueKind<Scenario> =
    .object(
      Fields(
        Scenario(),
        descriptive + running + model + [
          Setting("images", images, \.images, "the pictures, which the origin makes"),
          Setting("origin", ResponseForm.origin, \.origin, "what the origin answers"),
          Setting("steps", StepForm.steps, \.steps, "what is done, in this order").required,
          Setting("expect", ExpectationForm.expectation.list(), \.expectations, "what must hold"),
          Setting("explore", exploration, \.exploration, "how schedules are searched"),
        ]
      ).choosing(.atMostOne("strategy", "strategies"), .atMostOne("variant", "variants")),
      rules: ScenarioRules.all)

  private static var descriptive: [Setting<Scenario>] {
    let name = ValueKind.text(like: "[A-Za-z0-9][A-Za-z0-9-]*", "name", example: "late-response")
      .validated { name, node, reading in
        guard let expected = reading.name, name != expected else { return nil }
        return Diagnostic(
          .wrongValue, "the name \(quoted(name)) is not that of the file", at: node.range,
          "write \(quoted(expected))")
      }
    let lesson = ValueKind.text(like: "[LX][0-9]{1,2}", "id of a lesson", example: "L03")
      .validated { name, node, reading in
        guard let known = reading.vocabulary.lessons else { return nil }
        return .unknown("lesson", name, among: known, at: node.range)
      }
    return [
      Setting("scenario", .integer(1...1), \.format, "the version of the format").required,
      Setting("name", name, \.name, "the name of the file, without .json").required,
      Setting("title", .text, \.title, "one line for people"),
      Setting("description", .text, \.description, "more lines for people"),
      Setting("lesson", lesson, \.lesson, "the lesson it belongs to, such as L03"),
    ]
  }

  private static var running: [Setting<Scenario>] {
    [
      Setting("seed", .integer(Scenario.seeds), \.seed, "decides everything random; default 0"),
      Setting("clock", .word("clock"), \.clock, "the default clock of a run; default virtual"),
      Setting(
        "timing", timing, \.timing,
        "how far completions may vary on the virtual clock: not at all, at will, or a slack; default exact"),
      Setting("pool", pool, \.pool, "the worker pool of the virtual clock; default linux with 2 cores"),
      Setting(
        "strategy", ValueKind.strategy.map { [$0] }, \.strategies,
        "the strategy of the run; `fetcher strategies` lists them"),
      Setting("strategies", ValueKind.strategy.distinct(1...Int.max), \.strategies, "one run for each strategy"),
      Setting("program", .program, \.program, "the program that takes the steps; default \(Scenario.standardProgram)"),
      Setting(
        "variant", ValueKind.variant.map { [$0] }, \.variants,
        "the variant of the program; default \(Scenario.fixedVariant)"),
      Setting("variants", ValueKind.variant.distinct(1...Int.max), \.variants, "one run for each variant"),
      Setting(
        "clocks", ValueKind<Scenario.Clock>.word("clock").distinct(1...Int.max), \.clocks,
        "the clocks on which it holds; default both"),
    ]
  }

  private static var model: [Setting<Scenario>] {
    let cache = Fields(
      Scenario.Cache(),
      [
        Setting("pictures", .integer(0...100_000), \.pictures, "the most pictures; default 10"),
        Setting("bytes", .integer(0...1 << 30), \.bytes, "the most bytes of all together; default 67108864"),
      ])
    let limits = Fields(
      Scenario.Limits(),
      [
        Setting(
          "retries", .integer(0...100), \.retries,
          "how often a request that failed for a reason that may pass is tried again; default 0"),
        Setting("retryDelay", .duration, \.retryDelay, "the wait before the second attempt; default 200ms"),
        Setting(
          "backoff", .integer(1...10), \.backoff, "each further wait is so many times as long, up to an hour; default 1"
        ),
        Setting("inFlight", .integer(1...1000), \.inFlight, "how many requests may run at once; default no limit"),
        Setting("deadline", .duration, \.deadline, "how long a fetch may take with all its attempts; default 60s"),
      ])
    return [
      Setting("cache", .object(cache), \.cache, "how much the cache keeps; what was used least recently goes first"),
      Setting("limits", .object(limits), \.limits, "how much a fetch may take, and how often it is tried"),
      Setting(
        "onDisappear", .word("fate of a fetch"), \.onDisappear,
        "what a view that disappears does with the fetch of its picture; cancel spares one that another view waits for; "
          + "default keep-loading"),
    ]
  }

  /// All pictures. Pictures with a `count` are already expanded.
  private static var images: ValueKind<[Scenario.Image]> {
    let list = ImageForm.image.list()
    let counted = Repetition.countedImages.schema
    let entries = Schema.list(of: .either([ImageForm.image.schema, counted]), count: 0...Int.max)
    return ValueKind(.either([entries, counted]), list.read).eachOnce(
      "id", beside: Set(Scenario.shownWords), advice: "choose another"
    ) { "the id \($0) is taken" }
  }

  private static var timing: ValueKind<Scenario.Timing> {
    let slack = Field("slack", ValueKind.duration, "a completion may be so much later").required
    return .either(
      object: .object(slack.map { .slack($0) }),
      other: ValueKind<String>.word("timing", ["exact", "any"]).map { $0 == "any" ? .any : .exact })
  }

  private static var pool: ValueKind<Scenario.Pool> {
    let size = ValueKind.integer(1...4096)
    let rows: [Tag<Scenario.Pool>.Row] = [
      .init(
        "linux", "as many threads as cores, and one more a second", Field("cores", size, "so many cores").required
      ) { .linux(cores: $0) },
      .init("darwin", "up to a limit of threads", Field("limit", size, "such as 64").required) { .darwin(limit: $0) },
      .init("fixed", "always so many threads", Field("width", size, "so many").required) { .fixed(width: $0) },
    ]
    return .object(tag: Tag("model", what: "pool", rows))
  }

  private static var exploration: ValueKind<Scenario.Exploration?> {
    let exploration = Fields(
      Scenario.Exploration(),
      [
        Setting("search", .word("search"), \.search, "in which order schedules are tried; default mixed"),
        Setting("runs", .integer(1...1_000_000_000), \.runs, "the most schedules"),
        Setting("delays", .integer(0...100), \.delays, "the most deviations from first in, first out"),
        Setting("budget", .duration, \.budget, "the longest time"),
        Setting(
          "find", ValueKind<Invariant>.word("violation").distinct(), \.find, "the violations that are looked for"),
        Setting("token", .text, \.token, "the schedule that is known to show one"),
      ])
    return ValueKind.object(exploration).map { Optional($0) }
  }
}
