import OriginServer
import ScenarioFormat

/// A way for the origin of an example to go wrong.
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

  /// The names in the order of the alphabet.
  static let names = allCases.map(\.rawValue)

  /// The fault of that name.
  static func named(_ name: String) throws(UsageError) -> SystemFault {
    guard let fault = SystemFault(rawValue: name) else { throw .unknown("fault", name, among: names) }
    return fault
  }

  /// What comes in the place of a good response.
  func spoilt(_ response: OriginResponse) -> OriginResponse {
    var spoilt = response
    switch self {
    case .closeBeforeHeaders: spoilt.fault = .closeBeforeHeaders
    case .empty: spoilt.body = .empty
    case .garbage: spoilt.fault = .garbage
    case .html: spoilt.body = .text("<html>Please sign in to this network first.</html>")
    case .malformedChunk:
      spoilt.chunked = true
      spoilt.fault = .malformedChunk
    case .notFound: return Self.page(404, "Not here")
    case .reset: spoilt.fault = .reset(after: Self.start(of: response))
    case .serverError: return Self.page(500, "Out of order")
    case .stall: spoilt.fault = .stall(after: Self.start(of: response))
    case .truncate: spoilt.fault = .truncate(after: Self.start(of: response))
    }
    return spoilt
  }

  /// Bytes of the body that arrive before it goes wrong: the beginning, and never all of it.
  private static func start(of response: OriginResponse) -> Int {
    switch response.body {
    case .data(let bytes): min(20, bytes.count / 2)
    case .bytes(let count): min(20, count / 2)
    case .file: 20
    }
  }

  private static func page(_ status: Int, _ text: String) -> OriginResponse {
    OriginResponse(status: status, headers: [("Content-Type", "text/html")], body: .text("<h1>\(text)</h1>"))
  }
}
