import Foundation
import HTTPWire
import LivePages
import ScenarioEngine
import ScenarioFormat
import TestMachine
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A live page for tests, with a list of generated pictures or with shipped programs.
struct TestPage {
  let page: LivePage
  let folder: URL
  let port: UInt16
  let token: String

  /// The images `A`, `B` and `C`, and an address that fails.
  static let list = """
    {"scenario": 1, "name": "list", "title": "A list",
     "images": [{"id": "A", "path": "/a.png"}, {"id": "B", "path": "/b.png"}, {"id": "C", "path": "/c.png"},
                {"id": "missing", "path": "/missing.png"}],
     "origin": {"routes": [{"path": "/a.png", "responses": [{"latency": "5ms"}]},
                           {"path": "/b.png", "responses": [{"latency": "250ms"}]},
                           {"path": "/c.png", "responses": [{"latency": "5ms"}]},
                           {"path": "/missing.png", "responses": [{"status": 404, "body": {"bytes": 9}}]}]},
     "steps": [{"at": "0ms", "do": "note", "text": "unused"}]}
    """

  static func program(_ text: String = list, variant: String = Scenario.fixedVariant) throws -> LiveProgram {
    let file = ScenarioFile(SourceText(path: "/nowhere/list.json", bytes: Array(text.utf8)), vocabulary: .shipped)
    guard let program = LiveProgram(file, title: "List", summary: "", variant: variant) else { throw Missing.program }
    return program
  }

  /// Returns a shipped program by the name of its scenario in the resources.
  static func shipped(_ name: String) throws -> LiveProgram {
    let path = packageRoot.appending(path: "Sources/FetcherApp/Resources/pictures/\(name).json").path
    guard let program = LiveProgram(try ScenarioFile(path: path), title: name, summary: "") else {
      throw Missing.program
    }
    return program
  }

  enum Missing: Error { case program, message(String) }

  init(_ programs: [LiveProgram]? = nil, scenarios: [ScenarioFile] = [], useTool: UseLiveTool? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let settings = LiveSettings(
      programs: try programs ?? [Self.program()], strategies: LaboratoryStrategies.names, strategy: "dataTask",
      scenarios: scenarios, folder: folder, useTool: useTool)
    page = try LivePage(port: 0, settings)
    let parts = page.address.split(separator: "#")
    token = String(parts[1])
    port = UInt16(URL(string: String(parts[0]))?.port ?? 0)
  }

  func stop() {
    page.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  func client() throws -> PageClient { try PageClient(port) }

  /// Sends a request over a new connection, and returns the response.
  func request(
    _ method: String, _ target: String, host: String = "localhost", fields: [String: String] = [:], body: String = ""
  ) throws -> PageClient.Response {
    let client = try client()
    try client.send(method, target, host: host, fields: fields, body: body)
    return try client.response()
  }

  /// Sends steps as the page does.
  func step(_ json: String) throws -> PageClient.Response { try post("/step", json) }

  func post(_ path: String, _ json: String) throws -> PageClient.Response {
    try request(
      "POST", path, fields: ["X-Fetcher-Token": token, "Origin": "http://localhost"], body: json)
  }

  /// Opens an event stream.
  func events(after id: Int? = nil) throws -> PageClient {
    let client = try client()
    try client.send("GET", "/events?t=\(token)", fields: id.map { ["Last-Event-ID": "\($0)"] } ?? [:])
    let isOpen = try client.head().status == 200
    // Rows that come before the snapshot of a new tab are a part of it, and no message of their own.
    if isOpen, id == nil { try client.fill(through: "event: session") }
    return client
  }
}

/// A blocking client over a plain socket.
final class PageClient {
  struct Response {
    let status: Int
    let fields: [String: String]
    let body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Message {
    let id: Int
    let event: String
    let data: [String: Any]
    /// The content of a message that is a list.
    let list: [[String: Any]]
  }

  enum Failure: Error { case refused, ended }

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// The texts of the rows that ``row(_:)`` has not read, from the last message with rows.
  private var rows: [String] = []

  init(_ port: UInt16, version6: Bool = false) throws {
    let name = version6 ? "::1" : "127.0.0.1"
    guard let address = SocketAddress.all(of: name, port: port, isNumber: true).first,
      let descriptor = System.openConnection(to: address)
    else { throw Failure.refused }
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    var limit = timeval()
    limit.tv_sec = 30
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { shut() }

  private var isShut = false

  func shut() {
    guard !isShut else { return }
    isShut = true
    System.closeDescriptor(descriptor)
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { System.sendBytes(descriptor, $0) }
      guard count > 0 else { throw Failure.ended }
      rest = rest.dropFirst(count)
    }
  }

  func send(
    _ method: String, _ target: String, host: String = "localhost", fields: [String: String] = [:], body: String = ""
  ) throws {
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let length = method == "GET" ? "" : "Content-Length: \(body.utf8.count)\r\n"
    try send(Array("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(lines)\(length)\r\n\(body)".utf8))
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = piece.withUnsafeMutableBytes { System.receiveBytes(descriptor, $0) }
    guard count > 0 else { throw Failure.ended }
    buffer += piece[..<count]
  }

  /// Receives bytes until there is this text, and leaves them in the buffer.
  func fill(through text: String) throws { while buffer.firstRange(of: Array(text.utf8)) == nil { try fill() } }

  private func take(through mark: String) throws -> [UInt8] {
    let mark = Array(mark.utf8)
    var from = 0
    while true {
      if let range = buffer[from...].firstRange(of: mark) {
        defer { buffer.removeFirst(range.upperBound) }
        return Array(buffer[..<range.lowerBound])
      }
      from = max(0, buffer.count - mark.count)
      try fill()
    }
  }

  func head() throws -> (status: Int, fields: [String: String]) {
    let lines = String(decoding: try take(through: "\r\n\r\n"), as: UTF8.self).split(separator: "\r\n")
    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
    let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
    return (
      status,
      Dictionary(
        fields.map { ($0[0].lowercased(), $0.count > 1 ? $0[1].trimmingCharacters(in: .whitespaces) : "") }
      ) { "\($0), \($1)" }
    )
  }

  func response() throws -> Response {
    let (status, fields) = try head()
    let count = Int(fields["content-length"] ?? "0") ?? 0
    while buffer.count < count { try fill() }
    defer { buffer.removeFirst(count) }
    return Response(status: status, fields: fields, body: Array(buffer[..<count]))
  }

  /// Returns whether the server closes the connection, after any further bytes.
  func ends() -> Bool {
    do { while true { try fill() } } catch { return true }
  }

  /// Returns the next message of an event stream.
  func message() throws -> Message {
    let text = String(decoding: try take(through: "\n\n"), as: UTF8.self)
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[String(parts[0])] = String(parts[1].dropFirst())
    }
    let json = try JSONSerialization.jsonObject(with: Data((fields["data"] ?? "").utf8))
    return Message(
      id: Int(fields["id"] ?? "") ?? -1, event: fields["event"] ?? "", data: json as? [String: Any] ?? [:],
      list: json as? [[String: Any]] ?? [])
  }

  /// Reads messages up to one of this event that matches.
  @discardableResult func message(_ event: String, where matches: ([String: Any]) -> Bool = { _ in true }) throws
    -> Message
  {
    while true {
      let message = try message()
      if message.event == event, matches(message.data) { return message }
    }
  }

  /// Reads messages up to screens that show a picture in a view, and returns its name.
  func picture(of title: String, in view: String = "detail") throws -> String {
    var found: String?
    try message("screens") { data in
      let screen = (data["screens"] as? [[String: Any]])?.first { $0["view"] as? String == view }
      let shows = screen?["title"] as? String == title || screen?["rows"].map { "\($0)".contains(title) } == true
      found = shows ? screen?["picture"] as? String : nil
      return found != nil
    }
    return found ?? ""
  }

  /// Reads messages up to the row of an event, and returns its text.
  func row(_ prefix: String) throws -> String {
    while true {
      if let index = rows.firstIndex(where: { $0.hasPrefix(prefix) }) {
        defer { rows.removeFirst(index + 1) }
        return rows[index]
      }
      let run = try message("rows").data["run"] as? [String: Any]
      rows = (run?["r"] as? [[String: Any]] ?? []).compactMap { $0["s"] as? String }
    }
  }

  /// Reads messages up to a remark that matches, and returns it.
  @discardableResult func remark(where matches: ([String: Any]) -> Bool) throws -> [String: Any] {
    while true {
      let message = try message()
      let remarks = message.event == "remark" ? [message.data] : message.data["remarks"] as? [[String: Any]] ?? []
      if let remark = remarks.first(where: matches) { return remark }
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// A condition for suites that play sessions in real time. While all other tests run, main is busy for seconds, and
  /// the fetches of a session reach their deadline. So these suites run alone: `FETCHER_LIVE=1 swift test --filter
  /// LivePagesTests`.
  static var playsSessions: ConditionTrait {
    .enabled(if: ProcessInfo.processInfo.environment["FETCHER_LIVE"] != nil, "set FETCHER_LIVE=1 and run them alone")
  }
}
