import PlainText

/// All keys of a scenario, as Markdown tables. They are generated from the same field tables that validate scenarios.
package enum FormatReference {
  /// The complete reference, as printed by `fetcher check --keys`.
  package static var lines: [String] { Array(parts.map(\.lines).joined(separator: [""])) }

  /// The parts of the reference, each with its page in `scenarios/reference`.
  package static var parts: [(page: String, lines: [String])] {
    let file = ScenarioForm.scenario.schema
    let response = file["origin"]["routes"]["responses"]
    let step = StepForm.step.schema
    let expectation = file["expect"]
    let parts: [(String, [[String]])] = [
      (
        "file.md",
        [
          ["## The file"], table(of: file.keys),
          ["## An image", "", "Each entry of `images`:"], table(of: ImageForm.image.schema.keys),
          [
            "An entry with a `count` stands for that many pictures. In the strings of each picture, `{n}` stands for its",
            "number. Instead of a list, `images` may also be a single such entry.",
          ],
          table(of: Repetition.countedImages.schema.keys),
          ["## Timing", "", "`timing` is an object, `any`, or `exact`:"], table(of: file["timing"].keys),
          ["## The pool", "", "The other keys of `pool` depend on its `model`:"], table(of: file["pool"], "model"),
          table(of: file["pool"].keysOfWords, tellsRequired: false),
          [
            "## The cache", "",
            "Each image keeps its picture until a `drop-model` step, even if the cache evicts it. After that step, the",
            "image is loaded from the cache (event `cache.hit`) or fetched again. The keys of `cache`:",
          ],
          table(of: file["cache"].keys),
          ["## Limits", "", "The keys of `limits`:"], table(of: file["limits"].keys),
        ]
      ),
      (
        "origin.md",
        [
          ["## The origin"], table(of: file["origin"].keys),
          ["## A route", "", "Each entry of `routes`:"], table(of: file["origin"]["routes"].keys),
          ["## A response", "", "Each entry of `responses`, and `default`:"], table(of: response.keys),
          ["The faults:"], table(of: "fault", Scenario.Response.Fault.allCases.map { ($0.rawValue, $0.row.help) }),
          ["A `body` is the id of an image, or an object with one of these keys:"], table(of: response["body"].keys),
          ["A `latency` is a duration, or an object with one of these keys:"], table(of: response["latency"].keys),
          ["The keys of `lognormal`:"], table(of: response["latency"]["lognormal"].keys),
        ]
      ),
      (
        "steps.md",
        [
          ["## A step", "", "Each entry of `steps` has either `at` or `after`, and one `do`:"],
          table(of: step.keys), table(of: step, "do"),
          ["Keys in brackets are optional. The meaning of each key:"],
          table(of: step.keysOfWords, tellsRequired: false),
          [
            "## Repeated steps", "",
            "An entry of `steps` can repeat a list of steps in rounds. Repetitions can be nested:",
          ],
          table(of: Repetition.repeatedSteps.schema.keys),
        ]
      ),
      (
        "expectations.md",
        [
          [
            "## A pattern", "",
            "A pattern matches the events of the kind `event` that have all of its other values.",
            "[Events](events.md) lists the kinds and their values.",
          ],
          table(of: expectation["never"].keysOfWords),
          ["## An expectation", "", "Each entry of `expect` has one of these keys, and optionally a `why`:"],
          table(of: expectation.keys),
          [
            "`never` is a pattern, and `order` a list of patterns. `always`, `nth`, `count`, `atOnce`, `within`, "
              + "`apart` and",
            "`lane` are patterns with further keys in the same object:",
          ],
          table(of: expectation.keys.filter { !$0.schema.words.isEmpty }, \.schema.keys),
          ["`outcome`, `leaks` and `stall` have these keys:"],
          table(of: expectation.keys.filter { $0.schema.words.isEmpty }, \.schema.keys),
        ]
      ),
      (
        "search.md",
        [
          ["## Exploration", "", "`explore` contains the settings of `fetcher explore`:"],
          table(of: file["explore"].keys),
          [
            "## Violations", "",
            "Every run is checked for these violations, even without an entry in the file. `find` refers to them by name:",
          ],
          table(of: "violation", Invariant.allCases.map { ($0.rawValue, $0.help) }),
        ]
      ),
    ]
    return parts.map { ($0, Array($1.joined(separator: [""]))) }
  }

  /// Returns a table with a row for each key.
  private static func table(of keys: [ObjectSchema.Key], tellsRequired: Bool = true) -> [String] {
    rows(
      ["key", "value", "meaning"],
      keys.map { ["`\($0.name)`", tellsRequired ? value(of: $0) : $0.schema.inWords, $0.help] })
  }

  /// Returns a table with a row for each word.
  private static func table(of what: String, _ words: [(name: String, help: String)]) -> [String] {
    rows([what, "meaning"], words.map { ["`\($0.name)`", $0.help] })
  }

  /// Returns a table with a row for each key of several objects.
  private static func table(of owners: [ObjectSchema.Key], _ keys: (ObjectSchema.Key) -> [ObjectSchema.Key]) -> [String]
  {
    rows(
      ["in", "key", "value", "meaning"],
      owners.flatMap { owner in
        keys(owner).map { ["`\(owner.name)`", "`\($0.name)`", value(of: $0), $0.help] }
      })
  }

  /// Returns a table with a row for each word and its keys. Optional keys are in brackets.
  private static func table(of schema: Schema, _ tag: String) -> [String] {
    rows(
      ["`\(tag)`", "with", "meaning"],
      schema.words.map { word in
        let keys = word.keys.map { $0.isRequired ? "`\($0.name)`" : "[`\($0.name)`]" }
        return ["`\(word.name)`", keys.joined(separator: ", "), word.help]
      })
  }

  private static func value(of key: ObjectSchema.Key) -> String {
    key.schema.inWords + (key.isRequired ? "; required" : "")
  }

  private static func rows(_ titles: [String], _ cells: [[String]]) -> [String] {
    ([titles, titles.map { _ in "---" }] + cells).map { "| " + $0.joined(separator: " | ") + " |" }
  }
}

extension Schema {
  /// A human-readable description of a value.
  fileprivate var inWords: String {
    switch self {
    case .anything: "any JSON"
    case .flag: "`true` or `false`"
    case .integer(let range):
      "whole number, \(range.lowerBound)" + (range.count == 1 ? "" : " to \(range.upperBound)")
    case .number(let range): "number, \(range.lowerBound.fixed(0)) to \(range.upperBound.fixed(0))"
    case .text: "string"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element, let count): "list of " + Self.inWords(count) + element.plural
    case .object: "object"
    case .either(let schemas): schemas.map(\.inWords).joined(separator: ", or ")
    case .named(let name, _), .reference(let name): name.replacing("-", with: " ")
    case .noted(let schema, _): schema.inWords
    }
  }

  private var plural: String {
    switch self {
    case .either(let schemas): schemas.map(\.plural).joined(separator: " or ")
    case .words: inWords
    default: inWords.hasSuffix("s") ? inWords : inWords + "s"
    }
  }

  /// Returns the required number of list elements, or an empty string if at most one is required.
  private static func inWords(_ count: ClosedRange<Int>) -> String {
    count.lowerBound < 2 ? "" : count.count == 1 ? "\(count.lowerBound) " : "at least \(count.lowerBound) "
  }
}

/// The JSON Schema of scenario files. It is generated from the same field tables that validate scenarios.
package enum ScenarioSchema {
  /// Returns the complete schema.
  ///
  /// - Parameter vocabulary: the vocabulary that lists the allowed strategies.
  package static func json(_ vocabulary: Vocabulary) -> JSONValue {
    let schema = ScenarioForm.scenario.schema
    var keywords = schema.keywords
    keywords["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    keywords["title"] = "fetcher scenario, format 1"
    keywords["$defs"] = .object(
      schema.definitions.merging(["strategy-name": ["enum": .list(vocabulary.strategies.map { .string($0) })]]) { $1 })
    return .object(keywords)
  }
}
