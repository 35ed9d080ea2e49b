import PlainText

extension Scenario {
  /// The responses of the origin.
  package struct Origin: Sendable, Equatable {
    /// The response for paths without a route.
    package var fallback: Response?
    package var routes: [Route] = []
  }

  /// The responses for one path, in order.
  package struct Route: Sendable, Equatable {
    /// The behavior after the last response.
    package enum Continuation: String, Sendable, CaseIterable {
      case repeatLast = "repeat-last"
      case cycle, error
    }

    package var path: ScenarioPath
    package var responses: [Response]
    package var then = Continuation.repeatLast
    var location = SourceLocation()

    package init(path: ScenarioPath = "", responses: [Response] = []) {
      self.path = path
      self.responses = responses
    }
  }

  /// One response.
  package struct Response: Sendable, Equatable {
    /// The body of a response.
    package enum Body: Sendable, Equatable {
      /// The image with the route's path, or an empty body.
      case ofPath
      case image(String)
      case bytes(Int)
      /// A file in the scenario's folder or below it.
      case file(String)
      case json(JSONValue)
    }

    /// The time until the first byte is sent.
    package enum Latency: Sendable, Equatable {
      case fixed(Duration)
      case uniform(Duration, Duration)
      case lognormal(Lognormal)

      /// The maximum.
      var longest: Duration {
        switch self {
        case .fixed(let time): time
        case .uniform(_, let longest): longest
        case .lognormal(let distribution): distribution.max
        }
      }

      package var summary: String {
        switch self {
        case .fixed(let time): time.spelled
        case .uniform(let low, let high): "\(low.spelled) to \(high.spelled)"
        case .lognormal(let distribution): "about \(distribution.median.spelled)"
        }
      }
    }

    /// A latency with a long tail.
    package struct Lognormal: Sendable, Equatable {
      package var median = Duration.zero
      /// The standard deviation of the latency's logarithm.
      package var sigma = 0.0
      /// The maximum. Longer latencies are reduced to this value.
      package var max = Duration.zero
    }

    /// A fault in a response.
    package enum Fault: String, Sendable, CaseIterable {
      case refuse, reset
      case closeBeforeHeaders = "close-before-headers"
      case stall, truncate, garbage
      case malformedChunk = "malformed-chunk"
      case slowClose = "slow-close"

      struct Row {
        /// A one-sentence description for authors of scenarios.
        let help: String
        /// Whether the fault can occur after a number of body bytes.
        var takesByteCount = false
        /// The additional delay until the response ends, or nil if it never ends.
        var delay: Duration? = .zero
      }

      var row: Row {
        switch self {
        case .refuse:
          Row(
            help:
              "no server listens; on the real clock, a path must refuse either every connection or none, and only an "
              + "`origin` step with `all` can change this, for all paths together")
        case .reset: Row(help: "the connection is reset, after some bytes of the body", takesByteCount: true)
        case .closeBeforeHeaders: Row(help: "the connection ends before the response starts")
        case .stall:
          Row(
            help: "after some bytes of the body, no more bytes come, and the connection stays open",
            takesByteCount: true, delay: nil)
        case .truncate:
          Row(
            help: "the connection ends after some bytes of the body, before the announced length", takesByteCount: true
          )
        case .garbage: Row(help: "the response is not HTTP")
        case .malformedChunk: Row(help: "the body is sent in chunks, with invalid data after the first half")
        case .slowClose:
          Row(
            help: "the whole body is sent without a length; the connection ends one second later",
            delay: .seconds(1))
        }
      }
    }

    /// A header field.
    package struct Header: Sendable, Equatable {
      package var name: String
      package var value: String

      /// The field as it appears in events, with a lowercase name because names are case-insensitive.
      package var line: String { "\(name.lowercased()): \(value)" }
    }

    /// The maximum number of chunks in a body, regardless of their requested size.
    package static let maximumChunks = 1024

    package var status: Int
    package var body: Body
    /// The header fields that a request must have to get this response. If empty, every request matches, and responses
    /// are used in list order.
    package var condition: [Header] = []
    package var headers: [Header] = []
    package var latency = Latency.fixed(.zero)
    /// The number of body bytes sent per second, or nil for no limit.
    package var bandwidth: Int?
    /// The maximum size of a chunk in bytes, or nil for an unchunked body.
    package var chunks: Int?
    package var fault: Fault?
    /// The number of body bytes sent before the fault.
    package var faultOffset: Int?
    /// The probability of the fault.
    package var probability = 1.0
    /// The location of the fault in the file, or of the response if it has no fault.
    var location = SourceLocation()

    package init(status: Int = 200, body: Body = .ofPath) {
      self.status = status
      self.body = body
    }
  }

  /// The latency and the bandwidth that a step sets for all responses.
  package struct NetworkConditions: Sendable, Equatable {
    /// The latency, or nil if each response has the latency of the script.
    package var latency: Response.Latency?
    /// The number of body bytes sent per second, or nil if each response has the bandwidth of the script.
    package var bandwidth: Int?

    package init(latency: Response.Latency? = nil, bandwidth: Int? = nil) {
      (self.latency, self.bandwidth) = (latency, bandwidth)
    }

    /// The values with the keys of the file, such as `latency 500ms, bandwidth 100000`.
    package var summary: String {
      let parts = [latency.map { "latency \($0.summary)" }, bandwidth.map { "bandwidth \($0)" }].compactMap(\.self)
      return parts.isEmpty ? "as scripted" : parts.joined(separator: ", ")
    }
  }

  /// All routes, from the file's origin and from its steps.
  package var allRoutes: [Route] {
    origin.routes + steps.compactMap { if case .origin(let route) = $0.action { route } else { nil } }
  }

  /// The responses that steps set for all paths, in order. A nil entry restores the responses of
  /// the individual paths.
  package var allPhases: [Route?] {
    steps.compactMap { if case .originOfAll(let phase) = $0.action { .some(phase) } else { nil } }
  }

  /// All responses that the origin may send.
  package var allResponses: [Response] {
    (allRoutes + allPhases.compactMap(\.self)).flatMap(\.responses) + [origin.fallback].compactMap(\.self)
  }
}

extension Scenario.Response {
  /// Returns the response with the latency and the bandwidth of the network, as far as the network sets them.
  package func with(_ network: Scenario.NetworkConditions) -> Self {
    var response = self
    response.latency = network.latency ?? latency
    response.bandwidth = network.bandwidth ?? bandwidth
    return response
  }

  /// The redirect target as sent by the server, or nil if the response is not a redirect.
  package var redirect: String? {
    guard Self.redirects.contains(status) else { return nil }
    return headers.first { $0.name.lowercased() == "location" }?.value
  }

  /// The status codes for which Foundation follows `Location`.
  package static let redirects: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
}

/// The decoded path of an image or a route, as the origin receives it. Paths are compared by their UTF-8 bytes.
package struct ScenarioPath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  private let spelling: UTF8String

  package init(_ text: String) { spelling = UTF8String(text) }

  package init(stringLiteral text: String) { self.init(text) }

  /// The path as written in the file.
  package var text: String { spelling.text }

  package static func < (one: Self, other: Self) -> Bool { one.spelling < other.spelling }
}

/// The range of a value's bytes in its file, for use in messages. All locations compare as equal, so that they do not
/// affect the equality of values.
struct SourceLocation: Sendable, Equatable {
  var range = 0..<0

  static func == (one: Self, other: Self) -> Bool { true }
}

extension Scenario.Route {
  /// Whether a path always refuses connections or never does.
  package enum Refusal: Sendable { case always, never }

  /// Whether the path refuses connections, or nil if it does so only sometimes.
  package var refusal: Refusal? {
    if responses.allSatisfy({ $0.fault != .refuse }) { return .never }
    // A refused connection cannot depend on a request's header fields.
    let refusesAll = responses.allSatisfy { $0.fault == .refuse && $0.probability == 1 && $0.condition.isEmpty }
    return then != .error && refusesAll ? .always : nil
  }
}
