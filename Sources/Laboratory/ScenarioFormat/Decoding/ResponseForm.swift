/// The tables of fields of the origin: what it answers, how late, and how badly.
enum ResponseForm {
  /// The whole of `origin`.
  static var origin: ValueKind<Scenario.Origin> {
    Form(
      empty: Scenario.Origin(),
      fields: [
        Field(
          "default", response, \.fallback,
          "the answer for paths without a route; else the picture of the image with that path, or 404"),
        Field("routes", routes, \.routes, "the answers for each path"),
      ]
    ).kind
  }

  static var routeFields: [Field<Scenario.Route>] {
    [
      Field(
        "path", ValueKind.path.map { ScenarioPath($0) }, \.path,
        "the path of the request, as the origin sees it, without escapes"
      ).required,
      Field("responses", answers(1...Int.max), \.responses, "the answers, in order").required,
      Field(
        "then", .word("continuation"), \.then,
        "after the last answer: the same again, the first again, or an error 500; default repeat-last"),
    ]
  }

  private static var routes: ValueKind<[Scenario.Route]> {
    Form(empty: Scenario.Route(), fields: routeFields).kind.located(\.location, at: "path").list()
      .eachOnce("path", by: { ScenarioPath($0) }, advice: "put its responses into one list") {
        "the path \($0) has a route already"
      }
  }

  /// Answers, of which one at least is for every request.
  static func answers(_ count: ClosedRange<Int> = 0...Int.max) -> ValueKind<[Scenario.Response]> {
    response.list(count).validated { responses, node, _ in
      guard !responses.isEmpty, responses.allSatisfy({ !$0.condition.isEmpty }) else { return nil }
      return Diagnostic(
        .wrongValue, "each answer has a \"when\": a request that fits none of them gets nothing", at: node.range,
        "add one without, such as {\"status\": 401}")
    }
  }

  /// One answer.
  static var response: ValueKind<Scenario.Response> {
    Form(
      empty: Scenario.Response(),
      fields: [
        Field(
          "when", HeaderForm.headers, \.condition,
          "header fields that a request must have to get this answer, which then goes before those in their order"),
        Field("status", .integer(200...599), \.status, "the HTTP status; default 200"),
        Field(
          "body", body, \.body,
          "the id of an image, {\"bytes\": n}, {\"file\": name} or {\"json\": value}; default the image of the path"),
        Field(
          "headers", HeaderForm.headers, \.headers,
          "header fields; those about length, coding and connection are the server's own"),
        Field("latency", latency, \.latency, "how long it takes to the first byte; default none"),
        Field("bandwidth", .integer(1...1 << 30), \.bandwidth, "bytes of the body per second; default no limit"),
        Field(
          "chunks", .integer(1...1 << 20), \.chunks,
          "send the body in chunks of at most so many bytes; of more where that were over \(Scenario.Response.mostChunks) chunks"
        ),
        Field("fault", .word("fault"), \.fault, "what goes wrong"),
        Field(
          "after", .integer(0...64 << 20), \.faultOffset,
          "after how many bytes of the body the fault comes, if there are more; for reset, stall and truncate"),
        Field("probability", .number(0...1), \.probability, "how likely the fault is; default 1"),
      ], rules: [Rule("fault", run: validateOffset), Rule("fault", run: validateProbability)]
    ).kind.noted(["dependentRequired": ["after": ["fault"], "probability": ["fault"]]])
      .located(\.location, at: "fault").named("response")
  }

  private static func validateOffset(_ response: Scenario.Response, _ node: JSONNode, _ reading: inout Reading) {
    guard let after = node["after"], response.fault?.takesByteCount != true else { return }
    let owner = response.fault.map { "the fault \(quoted($0.rawValue)) has no" } ?? "without a fault there is no"
    reading.report(.unknownKey, "\(owner) \"after\"", at: after.range, "reset, stall and truncate have one")
  }

  private static func validateProbability(_ response: Scenario.Response, _ node: JSONNode, _ reading: inout Reading) {
    guard let probability = node["probability"], response.fault == nil else { return }
    reading.report(
      .missing, "missing \"fault\": the probability is that of the fault", at: probability.range, "add \"fault\"")
  }

  private static var body: ValueKind<Scenario.Response.Body> {
    typealias Body = Scenario.Response.Body
    let object = Form(
      empty: Body.ofPath, choices: [.exactlyOne("bytes", "file", "json")],
      fields: [
        Field("bytes", ValueKind.integer(0...64 << 20).map { Body.bytes($0) }, \.self, "so many bytes of a pattern"),
        Field(
          "file", ValueKind.bodyFile.map { Body.file($0) }, \.self,
          "the content of a file in the scenario's folder or below it"),
        Field(
          "json", ValueKind.anything.map { Body.json($0) }, \.self,
          "this JSON, with the address of the origin for each {origin} in it"),
      ])
    return .either(object: object.kind, other: ValueKind.image.map { .image($0) })
  }

  private static var latency: ValueKind<Scenario.Response.Latency> {
    let lognormal = Form(
      empty: Scenario.Response.Lognormal(),
      fields: [
        Field("median", .duration, \.median, "half of the answers are faster").required,
        Field("sigma", .number(0...10), \.sigma, "the standard deviation of the logarithm").required,
        Field("max", .duration, \.max, "the longest").required,
      ]
    ).kind
    let uniform = ValueKind<Duration>.duration.list(2...2).validated { ends, node, _ in
      if ends[0] <= ends[1] { return nil }
      return Diagnostic(.wrongValue, "the longest latency comes first", at: node.range, "swap the two")
    }
    let object = Form(
      empty: Scenario.Response.Latency.fixed(.zero), choices: [.exactlyOne("uniform", "lognormal")],
      fields: [
        Field("uniform", uniform.map { .uniform($0[0], $0[1]) }, \.self, "between two durations, each as likely"),
        Field("lognormal", lognormal.map { .lognormal($0) }, \.self, "mostly near the median, with a long tail"),
      ])
    return .either(object: object.kind, other: ValueKind.duration.map { .fixed($0) })
  }
}
