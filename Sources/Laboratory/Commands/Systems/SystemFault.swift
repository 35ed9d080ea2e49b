import CommandLineTool
import ScenarioFormat

/// A fault in a system's origin. The fault affects only the first response for each path.
enum SystemFault: String, Sendable, CaseIterable {
  case closeBeforeHeaders = "close-before-headers"
  case empty
  case garbage
  case html
  case malformedChunk = "malformed-chunk"
  case notFound = "not-found"
  case reset
  case serverError = "server-error"
  case stall
  case truncate

  /// The names in alphabetical order.
  static let names = allCases.map(\.rawValue)

  static func named(_ name: String) throws(UsageError) -> SystemFault {
    guard let fault = SystemFault(rawValue: name) else { throw .unknown("fault", name, among: names) }
    return fault
  }

  /// The deadline of each request, or nil for the scenario's.
  var deadline: Duration? { self == .stall ? .seconds(2) : nil }

  /// Returns a scenario in which each path returns a bad response before its first good one. Each group of steps that
  /// ends with a `wait-idle` step runs twice, so that the user retries failed requests. The scenario has no
  /// expectations, because the original ones assume a good origin.
  func spoil(_ scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.origin.routes = scenario.origin.routes.map { route in
      var route = route
      route.responses = route.responses.prefix(1).map(spoilt) + route.responses
      return route
    }
    scenario.expectations = []
    var steps: [Scenario.Step] = []
    var block: [Scenario.Step] = []
    for step in scenario.steps {
      block.append(step)
      guard step.action == .waitIdle else { continue }
      steps += block + block
      block = []
    }
    scenario.steps = steps + block
    return scenario
  }

  /// Returns the bad response that replaces a good one.
  private func spoilt(_ response: Scenario.Response) -> Scenario.Response {
    var spoilt = response
    spoilt.headers = []
    switch self {
    case .closeBeforeHeaders: spoilt.fault = .closeBeforeHeaders
    case .empty: spoilt.body = .bytes(0)
    case .garbage: spoilt.fault = .garbage
    case .html: spoilt.body = .file("sign-in.html")
    case .malformedChunk: spoilt.fault = .malformedChunk
    case .notFound: (spoilt.status, spoilt.body) = (404, .file("sign-in.html"))
    case .reset: (spoilt.fault, spoilt.faultOffset) = (.reset, 10)
    case .serverError: (spoilt.status, spoilt.body) = (500, .file("sign-in.html"))
    case .stall: (spoilt.fault, spoilt.faultOffset) = (.stall, 10)
    case .truncate: (spoilt.fault, spoilt.faultOffset) = (.truncate, 10)
    }
    return spoilt
  }
}
