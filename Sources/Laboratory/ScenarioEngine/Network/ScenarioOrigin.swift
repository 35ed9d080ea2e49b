import EventBus
import FetcherModel
package import Foundation
package import OriginServer
import PlainText
package import ScenarioFormat

/// The content of a scenario's origin. A real server serves this content as a whole. A simulated network requests its
/// responses one by one.
package struct ScenarioOrigin: Sendable {
  /// The address of an origin without a socket.
  package static let simulatedAddress = "http://127.0.0.1:80"
  /// The same address, but with a host name that the transport policy treats as another machine.
  static func elsewhere(_ address: String) -> String {
    address.replacing("//127.0.0.1:", with: "//elsewhere.localhost:")
  }

  package let scenario: Scenario
  /// The folder that contains the body files.
  package let folder: URL
  /// The current routes, with the changes that steps have made.
  private var routes: [Scenario.Route]
  /// The number of requests to each route before a step changed the route.
  private var base: [ScenarioPath: Int] = [:]
  /// The responses for all paths, or nil if each path has its own.
  private var phase: Phase?
  /// The latency and the bandwidth that the last step has set for all responses.
  private var network = Scenario.NetworkConditions()
  let pictures: ScenarioPictures
  /// The address of each image, keyed by the image's id.
  let addresses: [String: String]
  let targets = KnownTargets(of: [simulatedAddress, elsewhere(simulatedAddress)])
  /// The origin's address: scheme, host and port.
  private let address: String
  /// The paths of images and possible redirect targets.
  private let paths: [ScenarioPath]
  /// Whether the origin closes each connection, which it does if any response has a fault. Otherwise, Foundation would
  /// silently repeat a request that failed on a reused connection.
  private let closesConnections: Bool

  /// A single list of responses for all paths.
  private struct Phase {
    let route: Scenario.Route
    /// The number of requests that got a response.
    let requests = Locked(0)

    func next() -> Int {
      requests.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  /// - Parameters:
  ///   - address: the value that replaces `{origin}` in the scenario's JSON.
  ///   - closesConnections: whether to close each connection, even if no response of the scenario has a fault.
  package init(
    _ scenario: Scenario, folder: URL, address: String = simulatedAddress, closesConnections: Bool = false
  ) {
    self.scenario = scenario
    self.address = address
    self.folder = folder
    routes = scenario.origin.routes
    pictures = ScenarioPictures(scenario, folder: folder)
    addresses = scenario.addresses { ScenarioPath.address(address, $0) }
    let images = Set(scenario.images.map(\.path))
    let starts = images.union(scenario.allRoutes.map(\.path))
    paths = images.union(PossibleAnswers(scenario).targets(of: starts)).sorted()
    self.closesConnections = closesConnections || scenario.allResponses.contains { $0.fault != nil }
  }

  /// Performs a step that changes the responses, starting with the next request. Other steps have no effect.
  ///
  /// - Parameter requests: returns the number of requests for a path so far.
  package mutating func perform(_ action: Scenario.Action, after requests: (ScenarioPath) -> Int) {
    switch action {
    case .origin(let route):
      routes.removeAll { $0.path == route.path }
      routes.append(route)
      base[route.path] = requests(route.path)
    case .originOfAll(let route): phase = route.map { Phase(route: $0) }
    case .network(let conditions): network = conditions
    default: break
    }
  }

  /// The current routes, preceded by one route for each other path that can be requested.
  package var allRoutes: [Scenario.Route] {
    let scripted = Set(routes.map(\.path))
    return paths.filter { !scripted.contains($0) }.compactMap(plain) + routes
  }

  /// The paths that refuse every connection.
  var refused: Set<ScenarioPath> { Set(allRoutes.filter { $0.refusal == .always }.map(\.path)) }

  /// The complete content of the origin.
  ///
  /// - Parameter requests: the number of requests for each path so far. Each path continues with the response that
  ///   follows those already sent.
  package func content(after requests: [OriginPath: Int] = [:]) -> OriginContent {
    let fallback = scenario.origin.fallback.map { response($0, "", 0) }
    return OriginContent(
      routes: allRoutes.map { route($0, after: (requests[OriginPath($0.path.text)] ?? 0) - (base[$0.path] ?? 0)) },
      fallback: fallback ?? notFound)
  }

  /// Returns the target with its query as a path, if a route has exactly this path. Returns nil for a target without a
  /// query.
  func path(spelledBy target: RequestTarget) -> ScenarioPath? {
    let whole = ScenarioPath(target.text)
    return target.text.contains("?") && allRoutes.contains { $0.path == whole } ? whole : nil
  }

  /// The simulated response to request number `number` for a path.
  ///
  /// - Parameter timeout: the duration of silence after which the client gives up.
  func answer(
    _ path: ScenarioPath, number: Int, _ headers: HTTPHeaders = [:], timeout: Duration = .seconds(60)
  ) -> SimulatedAnswer {
    if phase?.route.refusal == .always { return .refused }
    guard let found = routes.first(where: { $0.path == path }) ?? plain(path) else {
      return simulated(notFound, timeout: timeout)
    }
    let phase = phase.flatMap { phase in allRoutes.contains { $0.path == path } ? phase : nil }
    let position = phase?.next() ?? number - (base[path] ?? 0)
    let scripted = (phase?.route ?? found).response(position, to: headers)
    if ResponseDraw(scripted, seed: scenario.seed, path: path.text, number: position).fault == .refuse {
      return .refused
    }
    return simulated(response(scripted, path, position), timeout: timeout)
  }

  /// Converts a response of the origin into a simulated one.
  ///
  /// - Parameter timeout: the duration of silence after which the client gives up.
  func simulated(_ response: OriginResponse, timeout: Duration = .seconds(60)) -> SimulatedAnswer {
    // If the body cannot be read, the client gets a server error, which has its own body.
    guard let body = response.body.contents() else { return simulated(.plain(500), timeout: timeout) }
    return SimulatedAnswer(response, body: body, timeout: timeout)
  }

  /// The response for a path that the scenario does not know.
  private var notFound: OriginResponse {
    let pace = response(Scenario.Response(), "", 0)
    var missing = OriginResponse.notFound
    (missing.latency, missing.bytesPerSecond) = (pace.latency, pace.bytesPerSecond)
    return missing
  }

  /// The route for a path that has no route in the file, or nil if the response is a 404.
  private func plain(_ path: ScenarioPath) -> Scenario.Route? {
    let isImage = scenario.images.contains { $0.path == path }
    guard let answer = scenario.origin.fallback ?? (isImage ? Scenario.Response() : nil) else { return nil }
    return Scenario.Route(path: path, responses: [answer])
  }

  private func route(_ route: Scenario.Route, after requests: Int) -> OriginRoute {
    OriginRoute(path: route.path.text) { [phase] number, headers in
      let position = phase?.next() ?? requests + number
      return response((phase?.route ?? route).response(position, to: HTTPHeaders(headers())), route.path, position)
    }
  }

  private func response(_ response: Scenario.Response, _ path: ScenarioPath, _ number: Int) -> OriginResponse {
    let draw = { ResponseDraw($0, seed: scenario.seed, path: path.text, number: number) }
    let scripted = draw(response)
    // The network does not change which requests fail, so the script alone decides the fault.
    let fault = scripted.fault
    let paced = response.with(network)
    let body = body(response.body, path)
    var headers = response.headers.map { ($0.name, $0.value) }
    if closesConnections { headers.append(("Connection", "close")) }
    return OriginResponse(
      status: response.status, headers: headers, body: body,
      latency: network.latency == nil ? scripted.latency : draw(paced).latency,
      bytesPerSecond: paced.bandwidth, chunked: response.chunks != nil && fault != .slowClose,
      chunkSize: chunkSize(of: response, body), fault: fault.flatMap { self.fault($0, of: response, body) })
  }

  /// The size of a chunk. A client needs time and memory for each chunk, and Foundation needs much of both.
  private func chunkSize(of response: Scenario.Response, _ body: OriginBody) -> Int {
    guard let size = response.chunks else { return 16 * 1024 }
    return max(size, ((body.count ?? 0) + Scenario.Response.maximumChunks - 1) / Scenario.Response.maximumChunks)
  }

  private func body(_ body: Scenario.Response.Body, _ path: ScenarioPath) -> OriginBody {
    switch body {
    case .image(let id): .data(pictures.body(of: id))
    case .ofPath: .data(scenario.images.first { $0.path == path }.map { pictures.body(of: $0.id) } ?? Data())
    case .bytes(let count): .bytes(count)
    case .file(let name): .fileInFolder(folder, path: name)
    case .json(let value): .text(((try? JSONText.of(value)) ?? "null").replacing("{origin}", with: address))
    }
  }

  /// The fault of a response, or nil if its body ends before the fault would occur.
  private func fault(
    _ fault: Scenario.Response.Fault, of response: Scenario.Response, _ body: OriginBody
  ) -> OriginFault? {
    switch fault {
    // A path that refuses connections has the address of a port without a server. A client that still reaches the path
    // gets no response.
    case .refuse, .closeBeforeHeaders: return .closeBeforeHeaders
    case .garbage: return .garbage
    case .reset, .stall, .truncate, .malformedChunk, .slowClose: break
    }
    guard response.status != 204, response.status != 304 else { return nil }
    if fault == .malformedChunk { return .malformedChunk }
    if fault == .slowClose { return .slowClose }
    let offset = response.faultOffset ?? 0
    guard offset < body.count ?? 0 else { return nil }
    return fault == .reset ? .reset(after: offset) : fault == .stall ? .stall(after: offset) : .truncate(after: offset)
  }
}
