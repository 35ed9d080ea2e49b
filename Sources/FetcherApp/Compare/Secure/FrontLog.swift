import Comparison
import OriginServer

/// The requests that the server in front logged during one run, one request per line. A pure value.
struct FrontLog: Equatable {
  /// The format of a line, for nginx: `HTTP/2.0 12 r 4096 /image-7`.
  static let format = "$server_protocol $connection $ssl_session_reused $bytes_sent $request_uri"

  private(set) var requests = 0
  private(set) var requestsByPath: [OriginPath: Int] = [:]
  /// The bytes of each response, with its headers, that left the server until its end or its cancel.
  private(set) var bytesSentByPath: [OriginPath: Int] = [:]
  private(set) var protocols: Set<String> = []
  /// The connections that resumed an earlier TLS session.
  private(set) var resumed: Set<Int> = []
  /// The number of lines in another format, for example of a malformed request.
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

/// The state of nginx, as its module `stub_status` prints it. A pure value.
struct FrontStatus: Equatable {
  /// The open connections to clients, including the one that asks.
  let open: Int
  /// All connections that were accepted since the start.
  let accepted: Int

  /// Parses the page. Returns nil if it is not such a page.
  init?(_ page: String) {
    guard let open = page.firstMatch(of: /Active connections: ([0-9]+)/),
      let accepted = page.firstMatch(of: /\n *([0-9]+) [0-9]+ [0-9]+/), let first = Int(open.1),
      let second = Int(accepted.1)
    else { return nil }
    self.open = first
    self.accepted = second
  }
}

/// The counts of the server in front during one run.
struct FrontCounts: Equatable {
  let connections: Int
  let log: FrontLog

  /// Every connection makes a full handshake, unless it resumes a session.
  var handshakes: Int { max(0, connections - log.resumed.count) }

  /// Replaces the values that the origin cannot see, because it serves only the server in front.
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
