import FetcherModel

extension Scenario {
  /// What the origin answers.
  struct Origin: Sendable, Equatable {
    /// For paths without a route.
    var fallback: Response?
    var routes: [Route] = []
  }

  /// The answers for one path, in order.
  struct Route: Sendable, Equatable {
    /// What comes after the last of them.
    enum Continuation: String, Sendable, CaseIterable {
      case repeatLast = "repeat-last"
      case cycle, error
    }

    var path: UTF8Key = ""
    var responses: [Response] = []
    var then = Continuation.repeatLast
  }

  /// One answer.
  struct Response: Sendable, Equatable {
    /// What it consists of.
    enum Body: Sendable, Equatable {
      /// The image of the route's path, or nothing.
      case ofPath
      case image(String)
      case bytes(Int)
      /// A file, beside the scenario's own.
      case file(String)
      case json(JSONValue)
    }

    /// How long it takes to the first byte.
    enum Latency: Sendable, Equatable {
      case fixed(Duration)
      case uniform(Duration, Duration)
      case lognormal(Lognormal)
    }

    /// A latency with a long tail.
    struct Lognormal: Sendable, Equatable {
      var median = Duration.zero
      /// The standard deviation of the logarithm.
      var sigma = 0.0
      /// What lies above is cut off to this.
      var max = Duration.zero
    }

    /// What goes wrong.
    enum Fault: String, Sendable, CaseIterable {
      case refuse, reset
      case closeBeforeHeaders = "close-before-headers"
      case stall, truncate, garbage
      case malformedChunk = "malformed-chunk"
      case slowClose = "slow-close"

      /// Whether it can wait for some bytes of the body.
      var takesByteCount: Bool { self == .reset || self == .stall || self == .truncate }
    }

    /// A header field.
    struct Header: Sendable, Equatable {
      var name: String
      var value: String
    }

    var status = 200
    var body = Body.ofPath
    var headers: [Header] = []
    var latency = Latency.fixed(.zero)
    /// Bytes of the body per second; nil for as fast as possible.
    var bandwidth: Int?
    /// The most bytes of a chunk; nil for a body in one piece.
    var chunks: Int?
    var fault: Fault?
    /// After how many bytes of the body the fault comes.
    var faultOffset: Int?
    /// How likely the fault is.
    var probability = 1.0
  }

  /// The routes of the file, and those that steps make.
  var allRoutes: [Route] {
    origin.routes + steps.compactMap { if case .origin(let route) = $0.action { route } else { nil } }
  }

  /// Every answer of the origin.
  var allResponses: [Response] { allRoutes.flatMap(\.responses) + [origin.fallback].compactMap(\.self) }
}
