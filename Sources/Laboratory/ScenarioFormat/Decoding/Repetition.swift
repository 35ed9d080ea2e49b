import PlainText

/// Expands repeated steps and numbered pictures.
///
/// Repetitions are expanded before anything else is decoded. Each copy keeps the source location of its original, so
/// later code does not need to know about repetitions.
struct Repetition: Sendable {
  /// The maximum number of rounds.
  static let most = 1000

  private var count = 1
  private var index = "n"
  private var first = 1
  private var increment = 1
  private var start = Duration.zero
  private var every = Duration.zero
  private var steps: [JSONNode] = []

  /// The value kind for an entry of `steps` that repeats steps.
  static let repeatedSteps: ValueKind<Repetition> = {
    let name = ValueKind.text(like: "[a-z]{1,20}", "index name", example: "n")
    let entries = Schema.list(of: .either([.reference("step"), .reference("repeat")]), count: 0...Int.max)
    let fields = Fields(
      Repetition(),
      [
        Setting("repeat", .integer(1...most), \.count, "the number of rounds").required,
        Setting(
          "index", name, \.index,
          "the name of the index: in the strings of the steps, `{n}` is the number of the round, and `{n-1}` is "
            + "that number minus 1; default n"
        ),
        Setting("from", .integer(-1_000_000...1_000_000), \.first, "the number of the first round; default 1"),
        Setting(
          "by", .integer(-1000...1000), \.increment, "the amount added to the number after each round; default 1"),
        Setting(
          "at", .duration, \.start,
          "the start of the first round; `at` in a step counts from the start of its round; default 0ms"),
        Setting(
          "every", .duration, \.every, "the time from the start of a round to the start of the next; default 0ms"),
        Setting("steps", ValueKind(entries) { node, _ in node }.map(\.elements), \.steps, "the steps of a round")
          .required,
      ])
    return ValueKind.object(fields).unless { node, _ in
      guard case .object(let object) = node.content, node["do"] != nil, node["steps"] == nil else { return nil }
      let own = Set(fields.keys.map(\.name))
      let step = JSONObject(members: object.members.filter { $0.key == "at" || !own.contains($0.key) })
      let text = JSONNode(content: .object(step), range: node.range).spelled
      return Diagnostic(
        .missing, "missing \"steps\": a repetition contains its steps", at: (node["repeat"] ?? node).range,
        "write {\"repeat\": \(node["repeat"]?.spelled ?? "2"), \"every\": \(node["every"]?.spelled ?? "\"100ms\""), \"steps\": [\(text)]}"
      )
    }.named("repeat")
  }()

  /// The value kind for an entry of `images` with a `count`.
  static let countedImages: ValueKind<Repetition> = {
    // These keys are decoded later, together with the pictures.
    let kept = ImageForm.fields.map { field in
      var key = field.key
      guard key.name == "id" else { return Setting<Repetition>(ignoring: key) }
      key.help = "the id of each picture, with `{n}` for its number; default {n}"
      return Setting(ignoring: key).optional
    }
    let fields = Fields(
      Repetition(),
      [
        Setting("count", .integer(1...most), \.count, "the number of pictures").required,
        Setting("from", .integer(-1_000_000...1_000_000), \.first, "the number of the first picture; default 1"),
      ] + kept)
    return ValueKind.object(fields).named("pictures")
  }()

  /// Returns the elements of all rounds. Each round is a copy of the entries.
  private func rounds(of entries: [JSONNode]) -> [JSONNode] {
    (0..<count).flatMap { round in
      let number = first + round * increment
      return entries.map { $0.numbered(index, number).shifted(by: start + every * round).inRound(number) }
    }
  }
}

extension Repetition {
  /// Returns the same file with all repetitions expanded.
  static func writtenOut(_ root: JSONNode, _ reading: inout Reading) -> JSONNode {
    guard case .object(var object) = root.content else { return root }
    // The limit on the size of a file also applies after the expansion.
    var budget = SourceText.largest
    for (index, member) in object.members.enumerated() {
      let elements: [JSONNode]
      switch (member.key, member.value.content) {
      case ("steps", .list(let steps)): elements = steps.flatMap { Self.steps($0, &budget, &reading) }
      case ("images", .list(let images)): elements = images.flatMap { Self.images($0, &budget, &reading) }
      case ("images", .object(let map)) where map.isMapOfPaths:
        reading.wrongKind(member.value, expected: "a list", "write \(ImageForm.list(map))")
        elements = [member.value.unreadable]
      case ("images", .object): elements = Self.images(member.value, &budget, &reading)
      default: continue
      }
      object.members[index] = JSONObject.Member(
        key: member.key, keyRange: member.keyRange, value: JSONNode(content: .list(elements), range: member.value.range)
      )
    }
    return JSONNode(content: .object(object), range: root.range)
  }

  private static func steps(_ node: JSONNode, _ budget: inout Int, _ reading: inout Reading) -> [JSONNode] {
    guard node["repeat"] != nil else { return [node] }
    guard !reading.isFull, let repetition = repeatedSteps.read(node, &reading) else { return [node.unreadable] }
    // Expand from the inside out, so that an index refers to the innermost repetition with that name.
    let entries = repetition.steps.flatMap { steps($0, &budget, &reading) }
    return repetition.spend(entries, node, &budget, &reading) ? repetition.rounds(of: entries) : [node.unreadable]
  }

  private static func images(_ node: JSONNode, _ budget: inout Int, _ reading: inout Reading) -> [JSONNode] {
    guard node["count"] != nil, case .object(var object) = node.content else { return [node] }
    guard !reading.isFull, let repetition = countedImages.read(node, &reading) else { return [node.unreadable] }
    if let id = node["id"], let text = id.word, repetition.count > 1, id.numbered(repetition.index, 0).word == text {
      let stem = text.prefix { $0 != "{" }
      reading.report(
        .duplicate, "\(repetition.count) pictures have the id \(quoted(text)), because it does not contain {n}",
        at: id.range, "write \(quoted(stem + "{n}"))")
      return [node.unreadable]
    }
    object.members.removeAll { $0.key == "count" || $0.key == "from" }
    if object["id"] == nil {
      object.members.append(
        JSONObject.Member(key: "id", keyRange: node.start, value: JSONNode(content: .string("{n}"), range: node.start)))
    }
    let entry = JSONNode(content: .object(object), range: node.range)
    return repetition.spend([entry], node, &budget, &reading) ? repetition.rounds(of: [entry]) : [node.unreadable]
  }

  /// Subtracts the size of the rounds from the budget. If the rounds exceed the budget, reports this and returns false.
  private func spend(
    _ entries: [JSONNode], _ node: JSONNode, _ budget: inout Int, _ reading: inout Reading
  ) -> Bool {
    let bytes = entries.reduce(2) { $0 + $1.range.count } * count
    guard bytes <= budget else {
      reading.report(
        .wrongValue, "the file is longer than \(SourceText.largest >> 20) MiB after its repetitions are expanded",
        at: (node["repeat"] ?? node["count"] ?? node).range, "repeat fewer times")
      return false
    }
    budget -= bytes
    return true
  }
}

extension JSONNode {
  /// A placeholder at the same location, for a value whose problems have already been reported.
  fileprivate var unreadable: JSONNode { JSONNode(content: .unreadable, range: range) }

  /// Replaces the index with a number in all strings. Keys remain unchanged.
  fileprivate func numbered(_ index: String, _ number: Int) -> JSONNode {
    switch content {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
      return JSONNode(content: .string(Self.numbered(text, index, number)), range: range, round: number)
    case .list(let elements):
      return JSONNode(content: .list(elements.map { $0.numbered(index, number) }), range: range, round: round)
    case .object(var object):
      object.members = object.members.map {
        JSONObject.Member(key: $0.key, keyRange: $0.keyRange, value: $0.value.numbered(index, number))
      }
      return JSONNode(content: .object(object), range: range, round: round)
    default: return self
    }
  }

  /// Replaces `{n}`, `{n+1}` and `{n-1}`, where `n` is the name of the index. Other braces remain unchanged.
  private static func numbered(_ text: String, _ index: String, _ number: Int) -> String {
    let parts = text.split(separator: "{\(index)", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: parts.first.map(String.init) ?? "") { result, part in
      let sum = part.prefix(8).prefix { $0 != "}" }
      let offset = sum.isEmpty ? 0 : sum.first == "+" || sum.first == "-" ? Int(sum) : nil
      if let offset, part.dropFirst(sum.count).first == "}" {
        result += "\(number + offset)" + part.dropFirst(sum.count + 1)
      } else {
        result += "{\(index)" + part
      }
    }
  }

  /// Returns a copy of the step with a later time, or the unchanged step if it has no time.
  fileprivate func shifted(by delay: Duration) -> JSONNode {
    guard delay > .zero, case .object(var object) = content,
      let index = object.members.firstIndex(where: { $0.key == "at" }),
      let time = object.members[index].value.word.flatMap({ Duration(spelled: $0) })
    else { return self }
    let member = object.members[index]
    let later = JSONNode(content: .string((time + delay).spelledExactly), range: member.value.range)
    object.members[index] = JSONObject.Member(key: member.key, keyRange: member.keyRange, value: later)
    return JSONNode(content: .object(object), range: range, round: round)
  }

  /// Returns a copy that belongs to a round. The round of an inner repetition takes precedence.
  fileprivate func inRound(_ number: Int) -> JSONNode {
    JSONNode(content: content, range: range, round: round ?? number)
  }
}

/// In pictures and steps, finds indices in braces that no enclosing repetition declares.
enum UnknownIndex {
  /// - Parameter root: the file with all repetitions expanded.
  static func report(in root: JSONNode, _ reading: inout Reading) {
    // All rounds of a repetition have the location of the original. Report each location only once.
    var known: Set<Int> = []
    for key in ["images", "steps"] {
      guard let node = root[key] else { continue }
      search(node) { text, range in
        guard let index = index(in: text), known.insert(range.lowerBound).inserted else { return }
        reading.report(
          .unknownIndex, "nothing replaces \(quoted("{\(index)}")): no enclosing repetition has that index",
          at: range, key == "images" ? countAdvice(index) : repeatAdvice(index))
      }
    }
  }

  private static func search(_ node: JSONNode, _ found: (String, Range<Int>) -> Void) {
    switch node.content {
    case .string(let text) where text.utf8.contains(UInt8(ascii: "{")): found(text, node.range)
    case .list(let elements): for element in elements { search(element, found) }
    case .object(let object): for member in object.members { search(member.value, found) }
    default: break
    }
  }

  /// Returns the first name in braces, possibly with an offset such as `+1`, or nil if there is none.
  static func index(in text: String) -> String? {
    (text.firstMatch(of: /\{([a-z]{1,20})([+-][0-9]+)?\}/)?.1).map(String.init)
  }

  private static func countAdvice(_ index: String) -> String {
    index == "n" ? #"give the pictures a "count""# : #"write "{n}", in an entry with a "count""#
  }

  private static func repeatAdvice(_ index: String) -> String {
    index == "n"
      ? #"put the step into a "repeat""#
      : #"write "{n}" inside a "repeat", or add "index": "\#(index)" to the "repeat""#
  }
}

extension JSONObject {
  /// Whether the object maps names to paths, so it is not one picture.
  fileprivate var isMapOfPaths: Bool {
    !members.isEmpty && members.allSatisfy { $0.key != "path" && $0.value.word?.hasPrefix("/") == true }
  }
}
