import Comparison
import OriginServer

/// The requests that nginx, the proxy in front of the origin, logged during one run. The log has one line per request.
struct FrontLog: Equatable {
  /// The nginx log format, which produces lines such as `HTTP/2.0 12 r 4096 /image-7`.
  static let format = "$server_protocol $connection $ssl_session_reused $bytes_sent $request_uri"

  private(set) var requests = 0
  private(set) var requestsByPath: [OriginPath: Int] = [:]
  /// The number of bytes sent for each path, including response headers. A cancelled response counts only the bytes sent
  /// before its cancellation.
  private(set) var bytesSentByPath: [OriginPath: Int] = [:]
  private(set) var protocols: Set<String> = []
  /// The numbers of the connections that resumed an earlier TLS session.
  private(set) var resumed: Set<Int> = []
  /// The number of lines in another format, such as the line for a malformed request.
  private(set) var unreadable = 0

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 4)
      guard words.count == 5, words[0].hasPrefix("HTTP/"), words[4].hasPrefix("/"), let connection = Int(words[1]),
        let bytes = Int(words[3])
      else {
        unreadable += 1
        continue
      }
      let path = OriginPath(String(words[4]))
      requests += 1
      requestsByPath[path, default: 0] += 1
      bytesSentByPath[path, default: 0] += bytes
      protocols.insert(String(words[0]))
      if words[2] == "r" { resumed.insert(connection) }
    }
  }
}

/// The state of nginx as reported by its `stub_status` module.
struct FrontStatus: Equatable {
  /// The number of open client connections, including the connection that requested the status page.
  let open: Int
  /// The number of connections accepted since nginx started.
  let accepted: Int

  /// Parses a status page. Returns nil if the text is not a status page.
  init?(_ page: String) {
    guard let open = page.firstMatch(of: /Active connections: ([0-9]+)/),
      let accepted = page.firstMatch(of: /\n *([0-9]+) [0-9]+ [0-9]+/), let first = Int(open.1),
      let second = Int(accepted.1)
    else { return nil }
    self.open = first
    self.accepted = second
  }
}

/// The counts that nginx made during one run.
struct FrontCounts: Equatable {
  let connections: Int
  let log: FrontLog

  /// The number of full handshakes. Every connection performs a full handshake, unless it resumes a session.
  var handshakes: Int { max(0, connections - log.resumed.count) }

  /// Replaces the values that the origin cannot count, because its only client is nginx.
  func apply(to counters: inout OriginCounters) {
    counters.connections = connections
    counters.requests = log.requests
    counters.requestsByPath = log.requestsByPath
    counters.bytesSentByPath = log.bytesSentByPath
  }

  func add(to sample: inout Sample) {
    sample[.handshakes] = Double(handshakes)
    sample.protocols = log.protocols.sorted()
  }
}
