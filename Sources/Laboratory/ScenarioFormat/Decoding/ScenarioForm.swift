/// The table of fields of a scenario. They are read in this order: the steps are known to what expects something of them.
enum ScenarioForm {
  /// A whole file. Made once, as that takes longer than reading a file.
  static let scenario: ValueKind<Scenario> =
    Form(
      empty: Scenario(), choices: [.atMostOne("strategy", "strategies"), .atMostOne("variant", "variants")],
      fields: descriptive + running + model + [
        Field("images", ImageForm.images, \.images, "the pictures, which the origin makes"),
        Field("origin", ResponseForm.origin, \.origin, "what the origin answers"),
        Field("steps", StepForm.steps, \.steps, "what is done, in this order").required,
        Field("expect", ExpectationForm.expectation.list(), \.expectations, "what must hold"),
        Field("explore", exploration, \.exploration, "how schedules are searched"),
      ], rules: ScenarioRules.all
    ).kind

  private static var descriptive: [Field<Scenario>] {
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
      Field("scenario", .integer(1...1), \.format, "the version of the format").required,
      Field("name", name, \.name, "the name of the file, without .json").required,
      Field("title", .text, \.title, "one line for people"),
      Field("description", .text, \.description, "more lines for people"),
      Field("lesson", lesson, \.lesson, "the lesson it belongs to, such as L03"),
    ]
  }

  private static var running: [Field<Scenario>] {
    [
      Field("seed", .integer(Scenario.seeds), \.seed, "decides everything random; default 0"),
      Field("clock", .word("clock"), \.clock, "the default clock of a run; default virtual"),
      Field(
        "timing", timing, \.timing,
        "how far completions may vary on the virtual clock: not at all, at will, or a slack; default exact"),
      Field("pool", pool, \.pool, "the worker pool of the virtual clock; default linux with 2 cores"),
      Field(
        "strategy", ValueKind.strategy.map { [$0] }, \.strategies,
        "the strategy of the run; `fetcher strategies` lists them"),
      Field("strategies", ValueKind.strategy.distinct(1...Int.max), \.strategies, "one run for each strategy"),
      Field("program", .program, \.program, "the program that takes the steps; default \(Scenario.standardProgram)"),
      Field(
        "variant", ValueKind.variant.map { [$0] }, \.variants,
        "the variant of the program; default \(Scenario.fixedVariant)"),
      Field("variants", ValueKind.variant.distinct(1...Int.max), \.variants, "one run for each variant"),
      Field(
        "clocks", ValueKind<Scenario.Clock>.word("clock").distinct(1...Int.max), \.clocks,
        "the clocks on which it holds; default both"),
    ]
  }

  private static var model: [Field<Scenario>] {
    let cache = Form(
      empty: Scenario.Cache(),
      fields: [
        Field("pictures", .integer(0...100_000), \.pictures, "the most pictures; default 10"),
        Field("bytes", .integer(0...1 << 30), \.bytes, "the most bytes of all together; default 67108864"),
      ]
    ).kind
    let limits = Form(
      empty: Scenario.Limits(),
      fields: [
        Field(
          "retries", .integer(0...100), \.retries,
          "how often a request that failed for a reason that may pass is tried again; default 0"),
        Field("retryDelay", .duration, \.retryDelay, "the wait before the second attempt; default 200ms"),
        Field(
          "backoff", .integer(1...10), \.backoff, "each further wait is so many times as long, up to an hour; default 1"
        ),
        Field("inFlight", .integer(1...1000), \.inFlight, "how many requests may run at once; default no limit"),
        Field("deadline", .duration, \.deadline, "how long a fetch may take with all its attempts; default 60s"),
      ]
    ).kind
    return [
      Field("cache", cache, \.cache, "how much the cache keeps; what was used least recently goes first"),
      Field("limits", limits, \.limits, "how much a fetch may take, and how often it is tried"),
      Field(
        "onDisappear", .word("fate of a fetch"), \.onDisappear,
        "what a view that disappears does with the fetch of its picture; cancel spares one that another view waits for; "
          + "default keep-loading"),
    ]
  }

  private static var timing: ValueKind<Scenario.Timing> {
    let slack = Form(
      empty: Scenario.Timing.exact,
      fields: [
        Field("slack", ValueKind.duration.map { .slack($0) }, \.self, "a completion may be so much later").required
      ])
    return .either(
      object: slack.kind, other: ValueKind<String>.word("timing", ["exact", "any"]).map { $0 == "any" ? .any : .exact })
  }

  private static var pool: ValueKind<Scenario.Pool> {
    let size = 1...4096
    return Form<Scenario.Pool>(
      empty: .linux(cores: 2),
      tag: Tag(
        "model", what: "pool",
        [
          .init(
            word: "linux", help: "as many threads as cores, and one more a second",
            fields: [
              Field("cores", ValueKind.integer(size).map { .linux(cores: $0) }, \.self, "so many cores").required
            ]),
          .init(
            word: "darwin", help: "up to a limit of threads",
            fields: [
              Field("limit", ValueKind.integer(size).map { .darwin(limit: $0) }, \.self, "such as 64").required
            ]),
          .init(
            word: "fixed", help: "always so many threads",
            fields: [Field("width", ValueKind.integer(size).map { .fixed(width: $0) }, \.self, "so many").required]),
        ])
    ).kind
  }

  private static var exploration: ValueKind<Scenario.Exploration?> {
    Form(
      empty: Scenario.Exploration(),
      fields: [
        Field("search", .word("search"), \.search, "in which order schedules are tried; default mixed"),
        Field("runs", .integer(1...1_000_000_000), \.runs, "the most schedules"),
        Field("delays", .integer(0...100), \.delays, "the most deviations from first in, first out"),
        Field("budget", .duration, \.budget, "the longest time"),
        Field("find", ValueKind<Invariant>.word("violation").distinct(), \.find, "the violations that are looked for"),
        Field("token", .text, \.token, "the schedule that is known to show one"),
      ]
    ).kind.map { Optional($0) }
  }
}
