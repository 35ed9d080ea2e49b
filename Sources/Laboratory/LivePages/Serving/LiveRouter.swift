import Foundation
import OriginServer
import PlainText
import ScenarioFormat

/// Responds to the requests of the page. It decides who may do what, and passes the rest to the session.
///
/// A web page of another site can make a browser send a request here. It knows neither the token nor an `Origin` of the
/// page, and it cannot read a response.
struct LiveRouter: Sendable {
  /// The header field in which a step carries the token.
  static let tokenField = "x-fetcher-token"

  /// The policy of the page: only its own files, and no inline script.
  private static let ownFiles = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """
  /// The policy of a page that plays back a run. The page contains its script, so its origin is opaque, and it can reach
  /// nothing.
  private static let sandbox = """
    sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'
    """
  private static let json = "application/json"

  /// The commands, each with the keys of its body. Their values are strings.
  private static let commands = [
    "/session": ["program"], "/play": ["file", "by"], "/record": ["tab"], "/strategies": [], "/search": [],
  ]

  /// The reason why a request is rejected, as JSON.
  private struct Refusal: Error {
    let status: Int
    let headers: [(String, String)]
    let body: Data

    init(_ status: Int, _ message: String, headers: [(String, String)] = []) {
      (self.status, self.headers) = (status, headers)
      body = JSONText.line(["errors": [["message": message]]])
    }

    init(_ problems: [ReportedProblem]) { (status, headers, body) = (400, [], JSONText.line(["errors": problems])) }
  }

  let token: String
  let session: LiveSession

  func response(to request: ReceivedRequest) -> HandledRequest {
    do { return try result(of: request) } catch {
      var response = answer(error.status, Self.json, error.body)
      response.headers += error.headers
      return .response(response)
    }
  }

  private func result(of request: ReceivedRequest) throws(Refusal) -> HandledRequest {
    let path = request.path.text
    if let file = LiveFiles.all[path] {
      try check(.get, request)
      return .response(answer(200, file.type, Data(file.bytes)))
    }
    if let keys = Self.commands[path] {
      try admit(change: request)
      try perform(path, keys, request.body)
      return .response(answer(202, Self.json, Data("{}".utf8)))
    }
    switch path {
    case "/step":
      try admit(change: request)
      let decoded = session.decode(request.body)
      guard let steps = decoded.steps else { throw Refusal(decoded.problems) }
      if let reason = Self.objection(to: steps) { throw Refusal(400, reason) }
      session.perform(steps)
      return .response(answer(202, Self.json, Data("{}".utf8)))
    case "/events":
      try admit(read: request)
      let last = request[field: "last-event-id"] ?? request.parameter("last")
      guard let stream = session.connect(after: last.flatMap(Int.init)) else {
        throw Refusal(503, "\(MessageHub.tabs) tabs are connected; close one of them")
      }
      return .stream(answer(200, "text/event-stream", Data()), stream)
    default: return .response(try file(path, request))
    }
  }

  /// The reason why the page does not perform steps, or nil. A step that fits in a file could stop the page for an hour.
  private static func objection(to steps: [(action: Scenario.Action, json: JSONValue)]) -> String? {
    if steps.contains(where: { $0.json["id"] != nil || $0.json["after"] != nil }) {
      return "a step of the page is performed at once, so it has neither \"id\" nor \"after\""
    }
    // A run on the real clock can refuse only the connections of all paths.
    let refuses = { (route: Scenario.Route) in route.responses.contains { $0.fault == .refuse } }
    if steps.contains(where: { if case .origin(let route) = $0.action { refuses(route) } else { false } }) {
      return "the page refuses the connections of all addresses or of none"
    }
    let busy = steps.map { if case .busy(let time) = $0.action { time } else { Duration.zero } }.reduce(.zero, +)
    return busy > .seconds(2) ? "the steps of a request to the page keep main busy for at most 2s" : nil
  }

  // MARK: Admission

  private func check(_ method: RequestMethod, _ request: ReceivedRequest) throws(Refusal) {
    guard request.method != method else { return }
    let name = method == .get ? "GET" : "POST"
    throw Refusal(405, "\(request.path.text) takes only \(name)", headers: [("Allow", name)])
  }

  /// Admits a request that changes nothing. Its query contains the token.
  private func admit(read request: ReceivedRequest) throws(Refusal) {
    try check(.get, request)
    try check(token: request.parameter("t"), request)
  }

  /// Admits a request that changes something. It carries the token in a header field, which no other site can send, and
  /// it names the page as its origin.
  private func admit(change request: ReceivedRequest) throws(Refusal) {
    try check(.post, request)
    try check(token: request[field: Self.tokenField], request)
    guard request[field: "origin"] != nil else { throw Refusal(403, "the request lacks an Origin") }
  }

  private func check(token given: String?, _ request: ReceivedRequest) throws(Refusal) {
    // The time of the comparison depends only on the length of the token.
    guard let given, given.utf8.count == token.utf8.count,
      zip(given.utf8, token.utf8).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
    else { throw Refusal(403, "the request lacks the token of the printed address") }
    let own = request[field: "host"].map { "http://\($0.lowercased())" }
    if let origin = request[field: "origin"], origin.lowercased() != own {
      throw Refusal(403, "the request comes from another origin")
    }
  }

  // MARK: Requests

  private func perform(_ path: String, _ keys: [String], _ body: [UInt8]) throws(Refusal) {
    guard case .object(let members)? = JSONValue(SourceText(path: "request", bytes: body)) else {
      throw Refusal(400, "the body is not a JSON object, or it is nested too deeply")
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard keys.contains(key) else {
        let known = keys.isEmpty ? "\(path) takes no keys" : "\(path) takes \(keys.listed(with: "and"))"
        throw Refusal(400, "unknown key \(quoted(key)); \(known)")
      }
      guard value.text != nil else { throw Refusal(400, "\(quoted(key)) must be a string") }
    }
    let text = { (key: String) in members[key]?.text ?? "" }
    switch path {
    case "/session":
      guard session.start(program: text("program")) else { throw Refusal(400, "there is no such program") }
    case "/play":
      guard session.play(file: text("file"), stepByStep: text("by") == "step") else {
        throw Refusal(400, "there is no such scenario")
      }
    case "/record": session.record(for: text("tab"))
    default:
      guard session.use(path == "/strategies" ? .everyStrategy : .search) else {
        throw Refusal(409, "another tool is running, or this page has none")
      }
    }
  }

  /// Returns a picture, the page of a result, or a recorded session.
  private func file(_ path: String, _ request: ReceivedRequest) throws(Refusal) -> OriginResponse {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, ["picture", "result", "recording"].contains(parts[0]) else {
      throw Refusal(404, "there is no \(path)")
    }
    try admit(read: request)
    let files = parts[0] == "picture" ? session.pictures : session.results
    guard let file = files.file(parts[1]) else { throw Refusal(404, "there is no \(path)") }
    var response = answer(200, file.type, file.bytes, policy: parts[0] == "result" ? Self.sandbox : Self.ownFiles)
    if parts[0] == "recording" {
      response.headers.append(("Content-Disposition", "attachment; filename=\"\(file.name)\""))
    }
    return response
  }

  private func answer(_ status: Int, _ type: String, _ bytes: Data, policy: String = ownFiles) -> OriginResponse {
    OriginResponse(
      status: status,
      headers: [
        ("Content-Type", type), ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
      ], body: .data(bytes))
  }
}
