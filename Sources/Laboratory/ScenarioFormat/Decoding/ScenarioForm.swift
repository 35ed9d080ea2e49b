import PlainText

/// The field table of a scenario. The fields are decoded in the order of the table, because expectations refer to
/// steps.
enum ScenarioForm {
  /// The value kind for an entire file. It is created only once, because creating it takes longer than decoding a file.
  static let scenario: ValueKind<Scenario> =
    ValueKind.object(
      Fields(
        Scenario(),
        descriptive + running + model + [
          Setting("images", images, \.images, "the pictures, which the origin generates"),
          Setting("origin", ResponseForm.origin, \.origin, "the responses of the origin"),
          Setting("steps", StepForm.steps, \.steps, "the actions of the run, in order").required,
          Setting("expect", ExpectationForm.expectations, \.expectations, "the expectations"),
          Setting("explore", exploration, \.exploration, "the settings of `fetcher explore`"),
        ]
      ).choosing(.atMostOne("strategy", "strategies"), .atMostOne("variant", "variants")),
      rules: ScenarioRules.all
    ).example { _, reading in
      #"{"scenario": 1, "name": \#(quoted(reading.name ?? "first")), "steps": [\#(StepForm.example)]}"#
    }

  private static var descriptive: [Setting<Scenario>] {
    let name = ValueKind.text(like: "[A-Za-z0-9][A-Za-z0-9-]*", "name", example: "late-response", corrected: Self.name)
      .validated { name, node, reading in
        guard let expected = reading.name, name != expected else { return nil }
        let isValid = Self.name(expected, reading) == expected
        return Diagnostic(
          .wrongValue, "the name \(quoted(name)) differs from the file name", at: node.range,
          isValid ? "write \(quoted(expected))" : "rename the file: \(quoted("\(name).json"))")
      }
    let lesson = ValueKind.text(like: "[LX][0-9]{1,2}", "lesson id", example: "L03")
      .validated { name, node, reading in
        guard let known = reading.vocabulary.lessons else { return nil }
        return .unknown("lesson", name, among: known, at: node.range)
      }
    return [
      Setting(
        ignoring: ObjectSchema.Key(
          name: "$schema", help: "the JSON Schema, for an editor; it has no effect",
          schema: ValueKind<String>.text.schema)),
      Setting("scenario", .integer(1...1), \.format, "the version of the format, always 1").required,
      Setting("name", name, \.name, "the file name, without .json").required,
      Setting("title", .text, \.title, "a one-line title"),
      Setting("description", .text, \.description, "a longer description"),
      Setting("lesson", lesson, \.lesson, "the lesson that the scenario belongs to, such as L03"),
    ]
  }

  /// Returns the name of the file if it is valid. Otherwise returns the text with hyphens for all other characters.
  private static func name(_ text: String, _ reading: Reading) -> String? {
    let letters = { (text: String) in String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }) }
    if let name = reading.name, name == letters(name), !name.isEmpty, !name.hasPrefix("-") { return name }
    let name = letters(text).split(separator: "-").joined(separator: "-")
    return name.isEmpty ? nil : name
  }

  private static var running: [Setting<Scenario>] {
    [
      Setting("seed", .integer(Scenario.seeds), \.seed, "the seed of all random choices; default 0"),
      Setting("clock", .word("clock"), \.clock, "the default clock of a run; default virtual"),
      Setting(
        "timing", timing, \.timing,
        "how far completion times can vary on the virtual clock: exact, a slack, or any; default exact"),
      Setting("pool", pool, \.pool, "the worker pool on the virtual clock; default linux with 2 cores"),
      Setting(
        "strategy", ValueKind.strategy.map { [$0] }, \.strategies,
        "the strategy of the run; `fetcher strategies` lists all strategies"),
      Setting("strategies", strategies, \.strategies, "one run for each strategy"),
      Setting(
        "program", .program, \.program, "the program that performs the steps; default \(Scenario.standardProgram)"),
      Setting(
        "variant", ValueKind.variant.map { [$0] }, \.variants,
        "the variant of the program; default \(Scenario.fixedVariant)"),
      Setting(
        "variants", ValueKind.variant.distinct(1...Int.max).example(#"["fixed"]"#), \.variants,
        "one run for each variant"),
      Setting(
        "clocks", clocks, \.clocks,
        "the clocks on which the expectations hold; default both"),
    ]
  }

  private static var strategies: ValueKind<[String]> {
    ValueKind.strategy.distinct(1...Int.max).example { node, reading in
      let known = reading.vocabulary.strategies
      if node.word == "all" { return "[\(known.map(quoted).joined(separator: ", "))]" }
      return "[\(quoted(node.word.flatMap { known.contains($0) ? $0 : nil } ?? known[0]))]"
    }
  }

  private static var clocks: ValueKind<[Scenario.Clock]> {
    ValueKind<Scenario.Clock>.word("clock").distinct(1...Int.max).example { node, _ in
      node.word.flatMap(Scenario.Clock.init).map { "[\(quoted($0.rawValue))]" } ?? #"["virtual", "real"]"#
    }
  }

  private static var model: [Setting<Scenario>] {
    let cache = Fields(
      Scenario.Cache(),
      [
        Setting("pictures", .integer(0...100_000), \.pictures, "the maximum number of pictures; default 10"),
        Setting("bytes", .integer(0...1 << 30), \.bytes, "the maximum total size in bytes; default 67108864"),
      ])
    let limits = Fields(
      Scenario.Limits(),
      [
        Setting(
          "retries", .integer(0...100), \.retries,
          "the number of retries after a temporary failure: a lost connection, a deadline, or status 408, 429, or 500 and above, which `blocking` cannot see; default 0"
        ),
        Setting("retryDelay", .duration, \.retryDelay, "the delay before the second attempt; default 200ms"),
        Setting(
          "backoff", .integer(1...10, "write the factor, such as 2"), \.backoff,
          "the factor by which each further delay grows, up to one hour; default 1"
        ),
        Setting(
          "inFlight", .integer(1...1000), \.inFlight, "the maximum number of concurrent requests; default no limit"),
        Setting(
          "deadline", .duration, \.statedDeadline, "the deadline of a fetch, including all its attempts; default 60s"),
      ])
    return [
      Setting(
        "cache", ValueKind.object(cache).example(10, in: 0...100_000) { #"{"pictures": \#($0)}"# }, \.cache,
        "the limits of the cache; the least recently used picture is evicted first"),
      Setting(
        "limits", ValueKind.object(limits).example(1, in: 0...100) { #"{"retries": \#($0)}"# }, \.limits,
        "the limits of fetches: time, attempts, concurrency"),
      Setting(
        "onDisappear", .word("onDisappear value"), \.onDisappear,
        "what happens to a view's fetch when the view disappears; cancel keeps a fetch that another view waits for; "
          + "default keep-loading"),
    ]
  }

  /// The value kind for the list of pictures. Pictures with a `count` have already been expanded.
  private static var images: ValueKind<[Scenario.Image]> {
    let list = ImageForm.image.list()
    let counted = Repetition.countedImages.schema
    let entries = Schema.list(of: .either([ImageForm.image.schema, counted]), count: 0...Int.max)
    return ValueKind(.either([entries, counted]), list.example("[\(ImageForm.example)]").read).eachOnce(
      "id", beside: Set(Scenario.shownWords), advice: "choose another id"
    ) { "the id \($0) is already taken" }
  }

  private static var timing: ValueKind<Scenario.Timing> {
    let slack = Field("slack", ValueKind.duration, "the maximum delay of a completion").required
    let word = ValueKind<String>.word("timing", ["exact", "any"], advice: ["slack": slackAdvice("100ms")])
      .map { $0 == "any" ? Scenario.Timing.any : .exact }
    let other = ValueKind(word.schema) { node, reading in
      guard let text = node.word, Duration(spelled: text) != nil else { return word.read(node, &reading) }
      reading.wrongKind(node, expected: #""exact", "any" or a slack"#, slackAdvice(text))
      return nil
    }
    return .either(object: .object(slack.map { .slack($0) }), other: other)
  }

  private static func slackAdvice(_ time: String) -> String { #"write {"slack": \#(quoted(time))}"# }

  private static var pool: ValueKind<Scenario.Pool> {
    let size = ValueKind.integer(1...4096)
    let rows: [Tag<Scenario.Pool>.Row] = [
      .init(
        "linux", "one thread per core, and one more for each second in which all threads are blocked",
        Field("cores", size, "the number of cores").required
      ) { .linux(cores: $0) },
      .init(
        "darwin", "threads on demand, up to a limit",
        Field("limit", size, "the maximum number of threads, such as 64").required
      ) { .darwin(limit: $0) },
      .init("fixed", "a fixed number of threads", Field("width", size, "the number of threads").required) {
        .fixed(width: $0)
      },
    ]
    return ValueKind.object(tag: Tag("model", what: "pool", rows))
      .example(2, in: 1...4096) { #"{"model": "linux", "cores": \#($0)}"# }
  }

  /// The time limit of a search. A number is probably a number of schedules, like that of the flag `--budget`.
  private static var budget: ValueKind<Duration> {
    ValueKind.duration.unless { node, _ in
      guard case .number(let number) = node.content else { return nil }
      return Diagnostic(
        .durationWithoutUnit, "a duration needs a unit", at: node.range,
        "write \"runs\": \(number.text) to limit the schedules, or a time such as \"10s\"")
    }
  }

  private static var exploration: ValueKind<Scenario.Exploration?> {
    let exploration = Fields(
      Scenario.Exploration(),
      [
        Setting("search", .word("search"), \.search, "the order in which schedules are tried; default mixed"),
        Setting("runs", .integer(1...1_000_000_000), \.runs, "the maximum number of schedules"),
        Setting("delays", .integer(0...100), \.delays, "the maximum number of deviations from first in, first out"),
        Setting("budget", budget, \.budget, "the maximum duration of the search"),
        Setting(
          "find", ValueKind<Invariant>.word("violation").distinct().example(#"["stale-image"]"#), \.find,
          "the violations to search for"),
        Setting("token", .text, \.token, "the token of a schedule that is known to show a violation"),
      ])
    return ValueKind.object(exploration).example(1000, in: 1...1_000_000_000) { #"{"runs": \#($0)}"# }
      .map { Optional($0) }
  }
}
