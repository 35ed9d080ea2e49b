/// Every key that a scenario can have, as tables in Markdown, made of the same table of fields as the checks.
package enum FormatReference {
  /// The whole, as `fetcher check --keys` prints it and scenarios/README.md shows it.
  package static var lines: [String] { Array(sections.joined(separator: [""])) }

  private static var sections: [[String]] {
    let file = ScenarioForm.scenario.schema.outline
    let response = file["origin"]["routes"]["responses"]
    let expectation = file["expect"]
    return [
      ["### The file"], table(of: file.keys),
      ["### An image", "", "Each entry of `images`:"], table(of: file["images"].keys),
      [
        "An entry with a `count` stands for so many pictures, each with its number in the place of `{n}`. In the place of the",
        "list there may be one such entry alone.",
      ],
      table(of: Repetition.countedImages.schema.outline.keys),
      ["### Timing", "", "`timing` is one of its words, or an object:"], table(of: file["timing"].keys),
      ["### The pool", "", "The `model` of the `pool` decides what else there is:"], table(of: file["pool"], "model"),
      table(of: file["pool"].keysOfWords, tellsRequired: false),
      ["### The cache", "", "`cache` has"], table(of: file["cache"].keys),
      ["### Limits", "", "`limits` has"], table(of: file["limits"].keys),
      ["### The origin"], table(of: file["origin"].keys),
      ["### A route", "", "Each entry of `routes`:"], table(of: file["origin"]["routes"].keys),
      ["### A response", "", "Each entry of `responses`, and `default`:"], table(of: response.keys),
      ["What a `fault` is:"], table(of: "fault", Scenario.Response.Fault.allCases.map { ($0.rawValue, $0.help) }),
      ["A `body` is the id of an image, or an object with one of these keys:"], table(of: response["body"].keys),
      ["A `latency` is a duration, or an object with one of these keys:"], table(of: response["latency"].keys),
      ["`lognormal` has"], table(of: response["latency"]["lognormal"].keys),
      ["### A step", "", "Each entry of `steps` has one of `at` and `after`, and one `do`:"],
      table(of: file["steps"].keys), table(of: file["steps"], "do"),
      ["What they come with; the keys in brackets may be left out:"],
      table(of: file["steps"].keysOfWords, tellsRequired: false),
      [
        "### Repeated steps", "",
        "An entry of `steps` may stand for many, which are done round after round; and steps in it may be repeated again:",
      ],
      table(of: Repetition.repeatedSteps.schema.outline.keys),
      [
        "### A pattern", "",
        "A pattern fits the events of the kind `event` that have all of its other values.",
        "[What can happen](#what-can-happen) lists the events and what is known of each.",
      ],
      table(of: expectation["never"].keysOfWords),
      ["### An expectation", "", "Each entry of `expect` has one of these, and perhaps a `why`:"],
      table(of: expectation.keys),
      [
        "`never` is a pattern, and `order` a list of patterns. `always`, `nth`, `count`, `atOnce`, `within`, `apart` and",
        "`lane` are patterns with further keys in the same object:",
      ],
      table(of: expectation.keys.filter { !$0.schema.outline.words.isEmpty }, \.schema.outline.keys),
      ["`outcome`, `leaks` and `stall` have keys of their own:"],
      table(of: expectation.keys.filter { $0.schema.outline.words.isEmpty }, \.schema.outline.keys),
      ["### Exploration", "", "`explore` is for the search of schedules:"], table(of: file["explore"].keys),
      ["### Violations", "", "These fail a run without a word in the file, and `find` names them:"],
      table(of: "violation", Invariant.allCases.map { ($0.rawValue, $0.help) }),
    ]
  }

  /// A row for each key.
  private static func table(of keys: [Outline.Key], tellsRequired: Bool = true) -> [String] {
    rows(
      ["key", "value", "meaning"],
      keys.map { ["`\($0.name)`", tellsRequired ? value(of: $0) : $0.schema.inWords, $0.help] })
  }

  /// A row for each word.
  private static func table(of what: String, _ words: [(name: String, help: String)]) -> [String] {
    rows([what, "meaning"], words.map { ["`\($0.name)`", $0.help] })
  }

  /// A row for each key of some objects.
  private static func table(of owners: [Outline.Key], _ keys: (Outline.Key) -> [Outline.Key]) -> [String] {
    rows(
      ["in", "key", "value", "meaning"],
      owners.flatMap { owner in
        keys(owner).map { ["`\(owner.name)`", "`\($0.name)`", value(of: $0), $0.help] }
      })
  }

  /// A row for each word, with its keys: in brackets, where they may be left out.
  private static func table(of outline: Outline, _ tag: String) -> [String] {
    rows(
      ["`\(tag)`", "with", "meaning"],
      outline.words.map { word in
        let keys = word.keys.map { $0.isRequired ? "`\($0.name)`" : "[`\($0.name)`]" }
        return ["`\(word.name)`", keys.joined(separator: ", "), word.help]
      })
  }

  private static func value(of key: Outline.Key) -> String {
    key.schema.inWords + (key.isRequired ? "; required" : "")
  }

  private static func rows(_ titles: [String], _ cells: [[String]]) -> [String] {
    ([titles, titles.map { _ in "---" }] + cells).map { "| " + $0.joined(separator: " | ") + " |" }
  }
}

extension Schema {
  /// What a value is, for people.
  fileprivate var inWords: String { Self.inWords(keywords) }

  private static func inWords(_ keywords: [String: JSONValue]) -> String {
    if case .list(let words)? = keywords["enum"] { return words.map(inWords).joined(separator: ", ") }
    if case .list(let kinds)? = keywords["anyOf"] { return kinds.map(inWords).joined(separator: ", or ") }
    switch (keywords["$ref"], keywords["type"]) {
    case (.string(let reference)?, _):
      return String(reference.split(separator: "/").last ?? "").replacing("-", with: " ")
    case (_, .string("integer")?): return "whole number" + range(keywords)
    case (_, .string("number")?): return "number" + range(keywords)
    case (_, .string("boolean")?): return "`true` or `false`"
    case (_, .string("array")?): return "list of " + count(keywords) + (keywords["items"].map(plural) ?? "anything")
    case (_, .string("string")?): return "text"
    case (_, .string("object")?): return "object"
    default: return "any JSON"
    }
  }

  private static func inWords(_ value: JSONValue) -> String {
    switch value {
    case .object(let keywords): inWords(keywords)
    case .string(let word): "`\(word)`"
    default: "any JSON"
    }
  }

  private static func plural(_ value: JSONValue) -> String {
    if case .object(let keywords) = value, case .list(let kinds)? = keywords["anyOf"] {
      return kinds.map(plural).joined(separator: " or ")
    }
    let words = inWords(value)
    return words.hasPrefix("`") ? words : words + "s"
  }

  /// How many items a list has, where more is said than that it has some.
  private static func count(_ keywords: [String: JSONValue]) -> String {
    guard case .integer(let low)? = keywords["minItems"], low > 1 else { return "" }
    return keywords["maxItems"] == .integer(low) ? "\(low) " : "at least \(low) "
  }

  private static func range(_ keywords: [String: JSONValue]) -> String {
    switch (keywords["minimum"], keywords["maximum"]) {
    case (.integer(let low)?, .integer(let high)?): low == high ? ", \(low)" : ", \(low) to \(high)"
    case (.number(let low)?, .number(let high)?): ", \(low.fixed(0)) to \(high.fixed(0))"
    default: ""
    }
  }
}
