import PlainText

/// The field tables of the origin: its responses, with their latencies and faults.
enum ResponseForm {
  /// The value kind for the entire `origin` object.
  static var origin: ValueKind<Scenario.Origin> {
    ValueKind.object(
      Fields(
        Scenario.Origin(),
        [
          Setting(
            "default", fallback, \.fallback,
            "the response for paths without a route; default the image with that path, or 404"),
          Setting("routes", routes, \.routes, "the responses of each path"),
        ])
    ).example(exampleOfOrigin)
  }

  private static let exampleOfRoute = #"{"path": "/a.png", "responses": [{"status": 500}]}"#
  static let exampleOfOrigin = "{\"routes\": [\(exampleOfRoute)]}"

  /// Returns an example of a response. It has the status or the success that was written without an object, if any.
  private static func example(_ node: JSONNode) -> String {
    if node.word?.lowercased() == "ok" { return #"{"status": 200}"# }
    guard case .number(let number) = node.content, let status = number.integer, statuses.contains(status) else {
      return #"{"status": 500}"#
    }
    return "{\"status\": \(status)}"
  }

  private static let statuses = 200...599

  static var routeFields: [Setting<Scenario.Route>] {
    [
      Setting(
        "path", ValueKind.path.map { ScenarioPath($0) }, \.path,
        "the path of the request as the origin receives it, without escapes"
      ).required,
      Setting("responses", answers(1...Int.max), \.responses, "the responses, in order").required,
      Setting(
        "then", .word("continuation"), \.then,
        "after the last response: repeat it, restart with the first, or answer with status 500; default repeat-last"),
    ]
  }

  private static var routes: ValueKind<[Scenario.Route]> {
    ValueKind.object(Fields(Scenario.Route(), routeFields).located(\.location.range, at: "path"))
      .example(exampleOfRoute).list().example("[\(exampleOfRoute)]")
      .eachOnce("path", by: { ScenarioPath($0) }, advice: "put its responses into one list") {
        "the path \($0) has two routes"
      }
  }

  /// Returns the value kind for a list of responses. At least one response must apply to every request.
  static func answers(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Scenario.Response]> {
    response.list(count).example { node, _ in "[\(example(node))]" }.validated { responses, node, _ in
      guard !responses.isEmpty, responses.allSatisfy({ !$0.condition.isEmpty }) else { return nil }
      return Diagnostic(
        .wrongValue, "every response has a \"when\", so a request that matches none of them gets no response",
        at: node.range,
        "add a response without \"when\", such as {\"status\": 401}")
    }
  }

  /// The value kind for the response to paths without a route.
  private static var fallback: ValueKind<Scenario.Response> {
    ValueKind(response.schema) { node, reading in
      guard case .object(let object) = node.content, let responses = object["responses"] else {
        return response.read(node, &reading)
      }
      reading.report(
        .unknownKey, "\"default\" is one response, such as {\"latency\": \"50ms\"}, and has no \"responses\"",
        at: responses.keyRange,
        "a list of responses belongs to a path in \"routes\", or to a step {\"do\": \"origin\", \"all\": [...]}")
      return nil
    }
  }

  /// The value kind for one response.
  static var response: ValueKind<Scenario.Response> {
    // The declared type saves the compiler 6 s.
    let settings: [Setting<Scenario.Response>] = [
      Setting(
        "when", HeaderForm.headers, \.condition,
        "header fields that a request must have to get this response; a matching response takes precedence over "
          + "the others"
      ),
      Setting("status", .integer(statuses), \.status, "the HTTP status; default 200"),
      Setting(
        "body", body, \.body,
        "the id of an image, {\"bytes\": n}, {\"file\": name} or {\"json\": value}; default the image with the "
          + "requested path"),
      Setting(
        "headers", HeaderForm.headers, \.headers,
        "header fields; the server sets those for length, coding and connection"),
      Setting("latency", latency, \.latency, "the time to the first byte; default none"),
      Setting("bandwidth", bandwidth, \.bandwidth, "bytes of the body per second; default no limit"),
      Setting(
        "chunks", .integer(1...1 << 20), \.chunks,
        "send the body in chunks of at most this many bytes; the chunks are larger if there would otherwise be "
          + "more than \(Scenario.Response.maximumChunks)"
      ),
      Setting(
        "fault", .word("fault", meant: ["timeout": .stall, "fail": .reset, "error": .reset, "drop": .reset]), \.fault,
        "a fault in the response; default none"),
      Setting(
        "after", .integer(0...64 << 20), \.faultOffset,
        "for reset, stall and truncate: the number of body bytes sent before the fault; "
          + "no effect if the body is shorter"),
      Setting("probability", .number(0...1), \.probability, "the probability of the fault; default 1"),
    ]
    let fields = Fields(Scenario.Response(), settings).located(\.location.range, at: "fault")
    return ValueKind.object(
      fields, rules: [Rule("fault", run: validateOffset), Rule("fault", run: validateProbability)]
    )
    .example { node, _ in example(node) }.noted(["dependentRequired": ["after": ["fault"], "probability": ["fault"]]])
    .named("response")
  }

  private static func validateOffset(_ response: Scenario.Response, _ node: JSONNode, _ reading: inout Reading) {
    guard let after = node["after"], response.fault?.row.takesByteCount != true else { return }
    let owner = response.fault.map { "the fault \(quoted($0.rawValue)) has no" } ?? "a response without a fault has no"
    reading.report(.unknownKey, "\(owner) \"after\"", at: after.range, "only reset, stall and truncate have it")
  }

  private static func validateProbability(_ response: Scenario.Response, _ node: JSONNode, _ reading: inout Reading) {
    guard let probability = node["probability"], response.fault == nil else { return }
    reading.report(
      .missing, "missing \"fault\": \"probability\" needs a fault", at: probability.range, "add \"fault\"")
  }

  private static var body: ValueKind<Scenario.Response.Body> {
    let object = ValueKind<Scenario.Response.Body>.object(
      .oneOf([
        Field("bytes", ValueKind.integer(0...64 << 20).map { .bytes($0) }, "this number of bytes with a fixed pattern"),
        Field(
          "file", ValueKind.bodyFile.map { .file($0) },
          "the content of a file in the scenario's folder or a folder below it"),
        Field(
          "json", ValueKind.anything.map { .json($0) },
          "this JSON; the address of the origin replaces each {origin}"
        ),
      ]))
    return .either(object: object, other: ValueKind.image.map { .image($0) })
  }

  static var bandwidth: ValueKind<Int> { .integer(1...1 << 30, "write the bytes per second, such as 100000") }

  static var latency: ValueKind<Scenario.Response.Latency> {
    let lognormal = ValueKind.object(
      Fields(
        Field("median", ValueKind.duration, "the median latency").required,
        Field("sigma", ValueKind.number(0...10), "the standard deviation of the logarithm").required,
        Field("max", ValueKind.duration, "the maximum latency").required
      ) { Scenario.Response.Lognormal(median: $0, sigma: $1, max: $2) }
    ).example(#"{"median": "20ms", "sigma": 0.5, "max": "1s"}"#)
    let uniform = ValueKind<Duration>.duration.list(2...2).example(#"["20ms", "100ms"]"#).validated { ends, node, _ in
      if ends[0] <= ends[1] { return nil }
      return Diagnostic(.wrongValue, "the longest latency is first", at: node.range, "swap the two")
    }
    let object = ValueKind<Scenario.Response.Latency>.object(
      .oneOf([
        Field("uniform", uniform.map { .uniform($0[0], $0[1]) }, "evenly distributed between two durations"),
        Field("lognormal", lognormal.map { .lognormal($0) }, "log-normal: mostly near the median, with a long tail"),
      ]))
    return .either(object: object, other: ValueKind.duration.map { .fixed($0) })
  }
}

/// The field table of a picture.
enum ImageForm {
  /// The value kind for one picture.
  static let image: ValueKind<Scenario.Image> = {
    let image = ValueKind<Scenario.Image>.object(Fields(Scenario.Image(), fields)).example(example)
    return ValueKind(image.schema) { node, reading in
      guard let name = node.word else { return image.read(node, &reading) }
      reading.report(
        .wrongValue, "an image is an object, not a string", at: node.range,
        "write {\"id\": \(quoted(name)), \"path\": \(quoted(path(for: name)))}")
      return nil
    }
  }()

  static let example = #"{"id": "A", "path": "/a.png"}"#

  /// Returns the list to write instead of an object that maps ids to paths.
  static func list(_ map: JSONObject) -> String {
    let images = map.members.prefix(3).map { member in
      "{\"id\": \(quoted(member.key)), \"path\": \(quoted(path(for: member.value.word ?? member.key)))}"
    }
    return "[\((images + (map.members.count > 3 ? ["…"] : [])).joined(separator: ", "))]"
  }

  /// Returns a path for an image of which only the name is known.
  private static func path(for name: String) -> String {
    if name.hasPrefix("/") { return name }
    return "/" + (name.contains(".") ? name : name.lowercased() + ".png")
  }

  /// The fields of one picture.
  static var fields: [Setting<Scenario.Image>] {
    [
      Setting("id", .name, \.id, "the id of the image in this file").required,
      Setting(
        "path", ValueKind.path.map { ScenarioPath($0) }, \.path,
        "the path on the origin, without escapes"
      ).required,
      Setting(
        "size", size, \.size,
        "the width and height in pixels; a picture takes about three bytes per pixel; default 64x64"),
    ]
  }

  private static var size: ValueKind<Scenario.Size> {
    let side = 1...4096
    let size = ValueKind.text(like: "[1-9][0-9]{0,3}x[1-9][0-9]{0,3}", "size", example: "64x64") { text, _ in
      spelledSize(text.split { !$0.isASCII || !$0.isNumber }.map(String.init))
    }.unless { node, _ in
      let numbers = [node] + node.elements
      let sides = numbers.compactMap { if case .number(let number) = $0.content { number.text } else { nil } }
      return spelledSize(sides).map {
        Diagnostic(.wrongValue, "expected a string, found \(node.kind)", at: node.range, "write it as \(quoted($0))")
      }
    }
    return size.map { text in
      let sides = text.split(separator: "x").compactMap { Int($0) }
      return Scenario.Size(width: sides[0], height: sides[1])
    }.validated { size, node, _ in
      if side.contains(size.width), side.contains(size.height) { return nil }
      return Diagnostic(.wrongValue, "a side is longer than \(side.upperBound) pixels", at: node.range)
    }
  }

  /// Returns the size with these sides, such as `100x80`, or of a square if there is one side. Returns nil for other sides.
  private static func spelledSize(_ sides: [String]) -> String? {
    guard let first = sides.first, let last = sides.last, sides.count < 3,
      sides.allSatisfy({ Int($0).map { (1...4096).contains($0) } == true })
    else { return nil }
    return "\(first)x\(last)"
  }
}
