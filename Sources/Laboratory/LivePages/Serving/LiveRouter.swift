import FetcherModel
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

  let token: String
  let session: LiveSession

  func response(to request: ReceivedRequest) -> HandledRequest {
    let path = request.path.text
    if let file = LiveFiles.all[path] {
      return allowing("GET", request) { .response(answer(200, file.type, file.bytes)) }
    }
    switch path {
    case "/events": return allowing("GET", request) { guarded(request, request.parameter("t")) { events(request) } }
    case "/step": return posted(request) { step(request) }
    case "/session", "/record", "/strategies", "/search", "/play":
      return posted(request) { .response(command(path, request)) }
    default: break
    }
    for (folder, find) in [("/picture/", picture), ("/result/", result), ("/recording/", recording)]
    where path.hasPrefix(folder) {
      return allowing("GET", request) {
        guarded(request, request.parameter("t")) {
          .response(find(String(path.dropFirst(folder.count))) ?? failure(404, "there is no \(path)"))
        }
      }
    }
    return .response(failure(404, "there is no \(path)"))
  }

  // MARK: Admission

  private func allowing(_ method: String, _ request: ReceivedRequest, _ make: () -> HandledRequest) -> HandledRequest {
    if request.method == (method == "GET" ? .get : .post) { return make() }
    var refusal = failure(405, "\(request.path.text) takes only \(method)")
    refusal.headers.append(("Allow", method))
    return .response(refusal)
  }

  private func guarded(
    _ request: ReceivedRequest, _ given: String?, _ make: () -> HandledRequest
  ) -> HandledRequest {
    guard let given, Self.isEqual(given, token) else {
      return .response(failure(403, "the request lacks the token of the printed address"))
    }
    if let origin = request[field: "origin"], !isOwn(origin, request) {
      return .response(failure(403, "the request comes from another origin"))
    }
    return make()
  }

  /// A request that changes something. It carries the token in a header field, which no other site can send, and it
  /// names the page as its origin.
  private func posted(_ request: ReceivedRequest, _ make: () -> HandledRequest) -> HandledRequest {
    allowing("POST", request) {
      guarded(request, request[field: Self.tokenField]) {
        guard request[field: "origin"] != nil else {
          return .response(failure(403, "the request lacks an Origin"))
        }
        return make()
      }
    }
  }

  private func isOwn(_ origin: String, _ request: ReceivedRequest) -> Bool {
    request[field: "host"].map { origin.lowercased() == "http://\($0.lowercased())" } ?? false
  }

  /// Compares two texts in a time that depends only on their lengths.
  private static func isEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: Requests

  private func events(_ request: ReceivedRequest) -> HandledRequest {
    let last = request[field: "last-event-id"] ?? request.parameter("last")
    guard let stream = session.connect(after: last.flatMap(Int.init)) else {
      return .response(failure(503, "\(MessageHub.tabs) tabs are connected; close one of them"))
    }
    return .stream(answer(200, "text/event-stream", []), stream)
  }

  private func step(_ request: ReceivedRequest) -> HandledRequest {
    let decoded = session.decode(request.body)
    guard let steps = decoded.steps else { return .response(answer(400, Self.json, Self.problems(decoded))) }
    session.perform(steps)
    return .response(answer(202, Self.json, Array("{}".utf8)))
  }

  /// The keys of the commands, whose values are strings.
  private static let keys = ["/session": ["program"], "/play": ["file", "by"], "/record": ["tab"]]

  private func command(_ path: String, _ request: ReceivedRequest) -> OriginResponse {
    guard let body = JSONValue(SourceText(path: "request", bytes: request.body)), case .object(let members) = body
    else {
      return failure(400, "the body is not a JSON object, or it is nested too deeply")
    }
    let keys = Self.keys[path] ?? []
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard keys.contains(key) else {
        let known = keys.isEmpty ? "\(path) takes no keys" : "\(path) takes \(keys.listed(with: "and"))"
        return failure(400, "unknown key \(quoted(key)); \(known)")
      }
      guard value.text != nil else { return failure(400, "\(quoted(key)) must be a string") }
    }
    switch path {
    case "/session":
      guard session.start(program: body["program"]?.text ?? "") else { return failure(400, "there is no such program") }
    case "/play":
      let steps = body["by"]?.text == "step"
      guard session.play(file: body["file"]?.text ?? "", stepByStep: steps) else {
        return failure(400, "there is no such scenario")
      }
    case "/record": session.record(for: body["tab"]?.text ?? "")
    case "/strategies": session.use(.everyStrategy)
    default: session.use(.search)
    }
    return answer(202, Self.json, Array("{}".utf8))
  }

  private func picture(_ name: String) -> OriginResponse? {
    session.pictures.picture(name).map { answer(200, $0.format.mediaType, Array($0.bytes)) }
  }

  private func result(_ name: String) -> OriginResponse? {
    session.results.file(name).map { answer(200, "text/html; charset=utf-8", $0, policy: Self.sandbox) }
  }

  private func recording(_ name: String) -> OriginResponse? {
    session.results.file(name).map { bytes in
      var response = answer(200, Self.json, bytes)
      response.headers.append(("Content-Disposition", "attachment; filename=\"\(name)\""))
      return response
    }
  }

  // MARK: Responses

  private static let json = "application/json"

  private func answer(
    _ status: Int, _ type: String, _ bytes: [UInt8], policy: String = ownFiles
  ) -> OriginResponse {
    OriginResponse(
      status: status,
      headers: [
        ("Content-Type", type), ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
      ], body: .data(Data(bytes)))
  }

  private struct Problem: Encodable {
    var code: String?
    let message: String
    var advice: String?
    var line: Int?
    var column: Int?
  }

  private func failure(_ status: Int, _ message: String) -> OriginResponse {
    answer(status, Self.json, Self.encode([Problem(message: message)]))
  }

  /// The problems of a step, with the texts that `fetcher check` prints.
  private static func problems(_ decoded: DecodedSteps) -> [UInt8] {
    encode(
      decoded.diagnostics.prefix(Diagnostics.most).map { problem in
        let position = decoded.source.position(of: problem.range.lowerBound)
        return Problem(
          code: problem.code.rawValue, message: problem.message, advice: problem.advice, line: position.line,
          column: position.column)
      })
  }

  private static func encode(_ problems: [Problem]) -> [UInt8] { Array(LiveJSON.of(["errors": problems])) }
}

/// JSON for messages: compact, with its keys in a fixed order.
enum LiveJSON {
  static func of(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(value) } catch {
      preconditionFailure("Internal inconsistency: a message is not JSON: \(error)")
    }
  }
}
