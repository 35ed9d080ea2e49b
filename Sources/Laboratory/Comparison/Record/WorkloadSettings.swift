import PlainText

package struct WorkloadSettings: Sendable, Codable {
  package var workload: Workload
  /// The transport, or nil for http and for addresses that the user supplies.
  package var transport: Transport?
  package var images: Int
  /// The size of each image, in bytes, as the server sends it.
  package var size: Int
  /// The time until the server responds, in seconds.
  package var latency: Double
  package var inFlight: Int
  /// The number of planned arrivals per second (open-loop load), or nil for a fixed number in flight (closed-loop load).
  package var rate: Double?
  package var urls: [String]?
  /// The size of the large picture in the workload `feed`, in bytes.
  package var pictureSize: Int?
  /// The simulated network between the client and the server, or nil for loopback.
  package var network: NetworkSettings?
  /// The path of the scenario whose steps are performed.
  package var scenario: String?
  /// The predicted duration of one run of the scenario, in seconds.
  package var duration: Double?

  package init(
    _ workload: Workload, images: Int, size: Int, latency: Double, inFlight: Int, rate: Double? = nil,
    urls: [String]? = nil, pictureSize: Int? = nil
  ) {
    self.workload = workload
    self.images = images
    self.size = size
    self.latency = latency
    self.inFlight = inFlight
    self.rate = rate
    self.urls = urls
    self.pictureSize = pictureSize
  }

  /// The maximum number of connections per host that every strategy sets.
  package static let mostConnections = 6

  /// The maximum number of images per second that the latency, the network and the connections allow. Nil if other
  /// limits apply.
  private var mostPerSecond: Double? {
    let wait = latency + (network?.roundTrip ?? 0)
    guard rate == nil, wait > 0 else { return nil }
    switch workload {
    case .list, .wait, .stall:
      let most = Double(min(inFlight, Self.mostConnections)) / wait
      return network?.bandwidth.map { min(most, $0 / 8 / Double(size)) } ?? most
    case .gallery, .scroll, .feed, .largeFeed, .flaky, .url, .scenario: return nil
    }
  }

  /// A one-line description of the workload.
  package var summary: String {
    let answers = "\(Unit.bytes.text(Double(size))), \(Unit.seconds.text(latency)) latency"
    switch workload {
    case .url: return "\(images) fetches of \(urls?.count ?? 0) addresses, \(inFlight) in flight"
    case .scroll, .largeFeed: return "\(images) rows of \(answers)"
    case .scenario: return "the steps of \(scenario ?? ""), with \(images.counted("image"))"
    case .feed:
      return "a picture of \(Unit.bytes.text(Double(pictureSize ?? 0))), and \(images) thumbnails of \(answers)"
    case .list, .gallery, .wait, .flaky, .stall: break
    }
    let connections = inFlight > Self.mostConnections ? " over \(Self.mostConnections) connections" : ""
    let load = rate.map { "\($0.decimals(0)) arrivals/s planned" } ?? "\(inFlight) in flight\(connections)"
    let limit = mostPerSecond.map { ", so \($0.decimals(0)) images/s at most" } ?? ""
    return "\(images) images of \(answers), \(load)\(limit)"
  }

  /// The name of the scenario's file, without its extension.
  var scenarioName: String? {
    scenario.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    }
  }

  /// A description of the network that the workload represents, or nil for the user's server.
  package var networkSummary: String? {
    guard Workload.measurable.contains(workload) else { return nil }
    return network?.summary ?? "Network: loopback, where only the server adds latency"
  }

  package var situation: Situation { Situation(workload, transport ?? .http) }

  /// Whether only strategies that load https can load all of the addresses.
  package var needsHTTPS: Bool {
    situation.transport.isSecure || urls?.contains { $0.lowercased().hasPrefix("https://") } == true
  }

  /// Returns whether a contender can load all of the addresses.
  package func canBeLoaded(by contender: Contender) -> Bool { !(needsHTTPS && contender.loadsHTTPS == false) }
}

/// A simulated network between the client and the server.
package struct NetworkSettings: Sendable, Codable, Equatable {
  /// The round-trip time, in seconds.
  package var roundTrip: Double
  /// The bandwidth in each direction, in bits per second, shared by all connections. Nil for no limit.
  package var bandwidth: Double?

  package init(roundTrip: Double, bandwidth: Double? = nil) {
    self.roundTrip = roundTrip
    self.bandwidth = bandwidth
  }

  var summary: String {
    let rate = bandwidth.map { ", \(Unit.bitRate($0)) in each direction" } ?? ""
    return
      "Network: simulated, \(Unit.seconds.text(roundTrip)) round trip\(rate); a new connection costs another round trip"
  }
}

/// How a client and the server exchange messages. The raw value is the transport's name in JSON and CSV.
package enum Transport: String, Sendable, Codable, CaseIterable {
  /// HTTP/1.1 without TLS.
  case http
  /// HTTP/1.1 over TLS.
  case https1 = "https/1.1"
  /// HTTP/2 over TLS.
  case https2 = "https/2"

  package var isSecure: Bool { self != .http }

  /// The human-readable name, such as `https (HTTP/2)`.
  package var title: String {
    switch self {
    case .http: "http"
    case .https1: "https (HTTP/1.1)"
    case .https2: "https (HTTP/2)"
    }
  }
}

/// A workload over a transport. Each situation is measured, analyzed and decided separately.
package struct Situation: Sendable, Hashable {
  package let workload: Workload
  package let transport: Transport

  package init(_ workload: Workload, _ transport: Transport = .http) {
    self.workload = workload
    self.transport = transport
  }

  /// The human-readable name, such as `list` or `list over https (HTTP/2)`.
  package var name: String { transport == .http ? workload.rawValue : fullName }

  /// The name with the transport, such as `list over http`.
  var fullName: String { "\(workload.rawValue) over \(transport.title)" }
}
