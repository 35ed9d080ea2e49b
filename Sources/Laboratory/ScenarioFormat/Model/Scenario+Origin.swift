import Bytes

extension Scenario {
  /// What the origin answers.
  package struct Origin: Sendable, Equatable {
    /// For paths without a route.
    package var fallback: Response?
    package var routes: [Route] = []
  }

  /// The answers for one path, in order.
  package struct Route: Sendable, Equatable {
    /// What comes after the last of them.
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
    /// What it consists of.
    package enum Body: Sendable, Equatable {
      /// The image of the route's path, or nothing.
      case ofPath
      case image(String)
      case bytes(Int)
      /// A file, beside the scenario's own.
      case file(String)
      case json(JSONValue)
    }

    /// How long it takes to the first byte.
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
      /// What lies above is cut off to this.
      package var max = Duration.zero
    }

    /// What goes wrong.
    package enum Fault: String, Sendable, CaseIterable {
      case refuse, reset
      case closeBeforeHeaders = "close-before-headers"
      case stall, truncate, garbage
      case malformedChunk = "malformed-chunk"
      case slowClose = "slow-close"

      struct Row {
        /// One sentence for people who write scenarios.
        let help: String
        /// Whether the fault can wait for some bytes of the body.
        var takesByteCount = false
        /// How long the end of the answer is late; nil if it never comes.
        var delay: Duration? = .zero
      }

      var row: Row {
        switch self {
        case .refuse:
          Row(
            help:
              "nobody listens; on the real clock a path refuses always or never, and all paths refuse in a phase of their "
              + "own")
        case .reset: Row(help: "the connection is reset, after some bytes of the body", takesByteCount: true)
        case .closeBeforeHeaders: Row(help: "the connection ends before the answer begins")
        case .stall:
          Row(
            help: "nothing more comes, after some bytes of the body, and the connection stays open",
            takesByteCount: true, delay: nil)
        case .truncate:
          Row(
            help: "the connection ends, after some bytes of the body, although more were promised", takesByteCount: true
          )
        case .garbage: Row(help: "what comes is not HTTP")
        case .malformedChunk: Row(help: "a body in chunks, with nonsense after the first half")
        case .slowClose:
          Row(
            help: "the whole body without its length, and one second later the end of the connection",
            delay: .seconds(1))
        }
      }
    }

    /// A header field.
    package struct Header: Sendable, Equatable {
      package var name: String
      package var value: String

      /// As an event has it: names do not distinguish case.
      package var line: String { "\(name.lowercased()): \(value)" }
    }

    /// In how many chunks a body comes at most, however small they ought to be.
    package static let mostChunks = 1024

    package var status: Int
    package var body: Body
    /// The fields that a request must have to get it; none for the next in the list.
    package var condition: [Header] = []
    package var headers: [Header] = []
    package var latency = Latency.fixed(.zero)
    /// Bytes of the body per second; nil for as fast as possible.
    package var bandwidth: Int?
    /// The most bytes of a chunk; nil for a body in one piece.
    package var chunks: Int?
    package var fault: Fault?
    /// After how many bytes of the body the fault comes.
    package var faultOffset: Int?
    /// How likely the fault is.
    package var probability = 1.0
    /// That of its fault, if it has one.
    var location = SourceLocation()

    package init(status: Int = 200, body: Body = .ofPath) {
      self.status = status
      self.body = body
    }
  }

  /// The routes of the file, and those that steps make.
  package var allRoutes: [Route] {
    origin.routes + steps.compactMap { if case .origin(let route) = $0.action { route } else { nil } }
  }

  /// What steps let all paths answer, in their order.
  package var allPhases: [Route?] {
    steps.compactMap { if case .originOfAll(let phase) = $0.action { .some(phase) } else { nil } }
  }

  /// Every answer of the origin.
  package var allResponses: [Response] {
    (allRoutes + allPhases.compactMap(\.self)).flatMap(\.responses) + [origin.fallback].compactMap(\.self)
  }
}

extension Scenario.Response {
  /// Where it sends the client, as the server writes it; nil where it is an answer itself.
  package var redirect: String? {
    guard Self.redirects.contains(status) else { return nil }
    return headers.first { $0.name.lowercased() == "location" }?.value
  }

  /// The statuses with which Foundation goes where `Location` says.
  package static let redirects: Set<Int> = [301, 302, 303, 305, 306, 307, 308]
}

/// The decoded path of an image or a route, as the origin sees it. Paths are compared by their UTF-8 bytes.
package struct ScenarioPath: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  private let spelling: UTF8String

  package init(_ text: String) { spelling = UTF8String(text) }

  package init(stringLiteral text: String) { self.init(text) }

  /// The path as the file spells it.
  package var text: String { spelling.text }

  package static func < (one: Self, other: Self) -> Bool { one.spelling < other.spelling }
}

/// Where a value stands in its file: the bytes that a message about it points at. Values are equal wherever they stand.
struct SourceLocation: Sendable, Equatable {
  var range = 0..<0

  static func == (one: Self, other: Self) -> Bool { true }
}

extension Scenario.Route {
  /// How often nobody listens.
  package enum Refusal: Sendable { case always, never }

  /// Nil for sometimes.
  package var refusal: Refusal? {
    if responses.allSatisfy({ $0.fault != .refuse }) { return .never }
    // A port does not know what a request has in its header.
    let refusesAll = responses.allSatisfy { $0.fault == .refuse && $0.probability == 1 && $0.condition.isEmpty }
    return then != .error && refusesAll ? .always : nil
  }
}
