import Bytes

extension Scenario {
  /// The answers of the origin.
  package struct Origin: Sendable, Equatable {
    /// For paths without a route.
    package var fallback: Response?
    package var routes: [Route] = []
  }

  /// The answers for one path, in order.
  package struct Route: Sendable, Equatable {
    /// The behavior after the last answer.
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

  /// One answer.
  package struct Response: Sendable, Equatable {
    /// Its body.
    package enum Body: Sendable, Equatable {
      /// The image of the route's path, or an empty body.
      case ofPath
      case image(String)
      case bytes(Int)
      /// A file next to the scenario's.
      case file(String)
      case json(JSONValue)
    }

    /// The time until the first byte.
    package enum Latency: Sendable, Equatable {
      case fixed(Duration)
      case uniform(Duration, Duration)
      case lognormal(Lognormal)
    }

    /// A latency with a long tail.
    package struct Lognormal: Sendable, Equatable {
      package var median = Duration.zero
      /// The standard deviation of the logarithm.
      package var sigma = 0.0
      /// The maximum; larger values are cut off.
      package var max = Duration.zero
    }

    /// A fault.
    package enum Fault: String, Sendable, CaseIterable {
      case refuse, reset
      case closeBeforeHeaders = "close-before-headers"
      case stall, truncate, garbage
      case malformedChunk = "malformed-chunk"
      case slowClose = "slow-close"

      struct Row {
        /// One sentence for authors of scenarios.
        let help: String
        /// Whether the fault can start after some bytes of the body.
        var takesByteCount = false
        /// The delay of the answer's end, or nil if it never ends.
        var delay: Duration? = .zero
      }

      var row: Row {
        switch self {
        case .refuse:
          Row(
            help:
              "no server listens; on the real clock, a path refuses always or never, and all paths refuse in a phase of their "
              + "own")
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
        case .malformedChunk: Row(help: "a chunked body with invalid data after the first half")
        case .slowClose:
          Row(
            help: "the whole body without a length; the connection ends one second later",
            delay: .seconds(1))
        }
      }
    }

    /// A header field.
    package struct Header: Sendable, Equatable {
      package var name: String
      package var value: String

      /// The form in events: names are case-insensitive.
      package var line: String { "\(name.lowercased()): \(value)" }
    }

    /// The maximum number of chunks in a body, whatever their requested size.
    package static let mostChunks = 1024

    package var status: Int
    package var body: Body
    /// The fields that a request must have to get this answer, or none for the next one in the list.
    package var condition: [Header] = []
    package var headers: [Header] = []
    package var latency = Latency.fixed(.zero)
    /// Bytes of the body per second, or nil for no limit.
    package var bandwidth: Int?
    /// The maximum size of a chunk, or nil for an unchunked body.
    package var chunks: Int?
    package var fault: Fault?
    /// The number of bytes of the body before the fault.
    package var faultOffset: Int?
    /// The probability of the fault.
    package var probability = 1.0
    /// The probability of its fault, or nil.
    var location = SourceLocation()

    package init(status: Int = 200, body: Body = .ofPath) {
      self.status = status
      self.body = body
    }
  }

  /// The routes of the file and of steps.
  package var allRoutes: [Route] {
    origin.routes + steps.compactMap { if case .origin(let route) = $0.action { route } else { nil } }
  }

  /// The answers for all paths that steps set, in order.
  package var allPhases: [Route?] {
    steps.compactMap { if case .originOfAll(let phase) = $0.action { .some(phase) } else { nil } }
  }

  /// All answers of the origin.
  package var allResponses: [Response] {
    (allRoutes + allPhases.compactMap(\.self)).flatMap(\.responses) + [origin.fallback].compactMap(\.self)
  }
}

extension Scenario.Response {
  /// The redirect target as sent by the server, or nil.
  package var redirect: String? {
    guard Self.redirects.contains(status) else { return nil }
    return headers.first { $0.name.lowercased() == "location" }?.value
  }

  /// The statuses with which Foundation follows `Location`.
  package static let redirects: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
}

/// The decoded path of an image or a route, in the origin's form. Paths are compared by their UTF-8 bytes.
package struct ScenarioPath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  private let spelling: UTF8String

  package init(_ text: String) { spelling = UTF8String(text) }

  package init(stringLiteral text: String) { self.init(text) }

  /// The path as written in the file.
  package var text: String { spelling.text }

  package static func < (one: Self, other: Self) -> Bool { one.spelling < other.spelling }
}

/// The bytes of a value in its file, for messages. Values are equal whatever their position.
struct SourceLocation: Sendable, Equatable {
  var range = 0..<0

  static func == (one: Self, other: Self) -> Bool { true }
}

extension Scenario.Route {
  /// Whether the path refuses connections, if its responses agree.
  package enum Refusal: Sendable { case always, never }

  /// Nil for sometimes.
  package var refusal: Refusal? {
    if responses.allSatisfy({ $0.fault != .refuse }) { return .never }
    // A port does not know the header fields of a request.
    let refusesAll = responses.allSatisfy { $0.fault == .refuse && $0.probability == 1 && $0.condition.isEmpty }
    return then != .error && refusesAll ? .always : nil
  }
}
