/// The table of fields of a scenario. The order matters: images are known to what comes after them, steps to what
/// expects something of them.
enum ScenarioForm {
  /// A whole file. Made once, as that takes longer than reading a file.
  static let scenario: ValueKind<Scenario> =
    Form(
      empty: Scenario(), choices: [.atMostOne("strategy", "strategies"), .atMostOne("variant", "variants")],
      fields: descriptive + running + [
        Field("images", images, \.images, "the pictures, which the origin makes"),
        Field("origin", ResponseForm.origin, \.origin, "what the origin answers"),
        Field("steps", StepForm.steps, \.steps, "what is done, in this order").required,
        Field("expect", ExpectationForm.expectation.list(), \.expectations, "what must hold"),
        Field("explore", exploration, \.exploration, "how schedules are searched"),
      ], checks: WholeChecks.all
    ).kind

  private static var descriptive: [Field<Scenario>] {
    let name = ValueKind.text(like: "[A-Za-z0-9][A-Za-z0-9-]*", "name", example: "late-response")
    return [
      Field("scenario", .integer(1...1), \.format, "the version of the format").required,
      Field("name", name, \.name, "the name of the file, without .json").required,
      Field("title", .text, \.title, "one line for people"),
      Field("description", .text, \.description, "more lines for people"),
      Field(
        "lesson", .text(like: "[LX][0-9]{1,2}", "id of a lesson", example: "L03"), \.lesson,
        "the lesson it belongs to, such as L03"),
    ]
  }

  private static var running: [Field<Scenario>] {
    [
      Field("seed", .integer(Scenario.seeds), \.seed, "decides everything random; default 0"),
      Field("clock", .word("clock"), \.clock, "the default clock of a run; default virtual"),
      Field(
        "timing", timing, \.timing,
        "how far completions may move on the virtual clock: not at all, at will, or a slack; default exact"),
      Field("pool", pool, \.pool, "the worker pool of the virtual clock; default linux with 2 cores"),
      Field(
        "strategy", ValueKind.strategy.map { [$0] }, \.strategies,
        "the strategy of the run; `fetcher strategies` lists them"),
      Field("strategies", ValueKind.strategy.distinct(1...Int.max), \.strategies, "one run for each strategy"),
      Field("program", .program, \.program, "the program that takes the steps; default \(Scenario.standardProgram)"),
      Field(
        "variant", ValueKind.text.map { [$0] }, \.variants,
        "the variant of the program; default \(Scenario.fixedVariant)"),
      Field("variants", ValueKind.text.distinct(1...Int.max), \.variants, "one run for each variant"),
      Field(
        "clocks", ValueKind<Scenario.Clock>.word("clock").distinct(1...Int.max), \.clocks,
        "the clocks on which it holds; default both"),
    ]
  }

  private static var timing: ValueKind<Scenario.Timing> {
    let slack = Form(
      empty: Scenario.Timing.exact, choices: [],
      fields: [
        Field("slack", ValueKind.duration.map { .slack($0) }, \.self, "a completion may be so much later").required
      ])
    return .either(
      object: slack.kind, other: ValueKind<String>.word("timing", ["exact", "any"]).map { $0 == "any" ? .any : .exact })
  }

  private static var pool: ValueKind<Scenario.Pool> {
    let size = 1...4096
    return TaggedForm<Scenario.Pool>(
      tag: "model", what: "pool", empty: .linux(cores: 2),
      cases: [
        .init(
          word: "linux", help: "as many threads as cores, and one more a second",
          fields: [Field("cores", ValueKind.integer(size).map { .linux(cores: $0) }, \.self, "so many cores").required]
        ) { _ in },
        .init(
          word: "darwin", help: "up to a limit of threads",
          fields: [Field("limit", ValueKind.integer(size).map { .darwin(limit: $0) }, \.self, "such as 64").required]
        ) { _ in },
        .init(
          word: "fixed", help: "always so many threads",
          fields: [Field("width", ValueKind.integer(size).map { .fixed(width: $0) }, \.self, "so many").required]
        ) { _ in },
      ]
    ).kind
  }

  private static var images: ValueKind<[Scenario.Image]> {
    let side = 1...4096
    let size = ValueKind.text(like: "[1-9][0-9]{0,3}x[1-9][0-9]{0,3}", "size", example: "64x64").map { text in
      let sides = text.split(separator: "x").compactMap { Int($0) }
      return Scenario.Size(width: sides[0], height: sides[1])
    }.checked { size, node, reading in
      if side.contains(size.width), side.contains(size.height) { return true }
      reading.report(.wrongValue, "a side of more than \(side.upperBound) pixels", at: node.range)
      return false
    }
    let image = Form(
      empty: Scenario.Image(),
      fields: [
        Field("id", .name, \.id, "how the file refers to it").required,
        Field(
          "path", ValueKind.path.map { ScenarioPath($0) }, \.path,
          "where the origin has it: as the origin sees it, without escapes"
        ).required,
        Field("size", size, \.size, "width and height in pixels, which take about three bytes each; default 64x64"),
      ]
    ).kind
    let list = image.list()
    return ValueKind(list.schema) { node, reading in
      let images = list.read(node, &reading)
      // What has an id is declared, whatever else is wrong with it.
      let ids = node.items.map { $0["id"]?.word }
      let known = ids.isEmpty || ids.contains(nil) ? nil : ids.compactMap(\.self)
      reading.imageIDs = (images?.map(\.id) ?? known).map { Names($0) }
      return images
    }.eachOnce("id", beside: Set(Scenario.shownWords), advice: "choose another") { "the id \($0) is taken" }
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
