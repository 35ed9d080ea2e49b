import FetcherModel
import ModelFixtures
import OriginServer
import Testing

/// A row of the fault table: one way in which a fetch can fail, and the outcome that each strategy must report.
struct Fault: Sendable, CustomTestStringConvertible {
  /// The source of the fault.
  enum Place: Sendable {
    /// A running origin sends these responses, one per request.
    case answers([OriginResponse])
    /// No server listens on the port.
    case refused
    /// The host has no address.
    case unknownHost
  }

  /// The outcome of a fetch.
  enum Outcome: Equatable, Sendable {
    case picture
    case failure(FetchError)
  }

  let name: String
  let place: Place
  /// The outcome for the strategies that see the response.
  let seeing: Outcome
  /// The outcome for the `blocking` strategy.
  let blocking: Outcome
  /// The outcome for `downloadTask`, if it differs from `seeing`.
  var download: Outcome?
  /// The outcome for `socket`, if it differs from `seeing`.
  var socket: Outcome?
  var limits = FetchLimits.patient
  /// The last column of the row.
  var remark = ""

  var testDescription: String { name }

  func expected(_ strategy: StrategyName) -> Outcome {
    switch strategy {
    case "blocking": blocking
    case "downloadTask": download ?? seeing
    case "socket": socket ?? seeing
    default: seeing
    }
  }

  /// Returns the row of the documented table.
  func row(_ strategies: [StrategyName]) -> String {
    "| \(name) | \(strategies.map { expected($0).text }.joined(separator: " | ")) | \(remark) |"
  }
}

extension Fault.Outcome {
  var text: String {
    switch self {
    case .picture: "the picture"
    case .failure(let error): "`\(error.caseText)`"
    }
  }
}

extension FetchError {
  /// The spelling of the case in code.
  fileprivate var caseText: String {
    switch self {
    case .unsupportedScheme: "unsupportedScheme"
    case .badStatus(let status): "badStatus(\(status))"
    case .transport(let error): "transport(\(error.code))"
    case .invalidURL: "invalidURL"
    case .invalidPort: "invalidPort"
    case .blockedByTransportPolicy: "blockedByTransportPolicy"
    case .emptyBody: "emptyBody"
    case .notAnImage: "notAnImage"
    case .truncated: "truncated"
    case .undecodable(let encoding): "undecodable(\(encoding ?? "nil"))"
    case .tooLarge: "tooLarge"
    case .tooManyPixels: "tooManyPixels"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    case .redirectsUnseen: "redirectsUnseen"
    case .headersUnsent: "headersUnsent"
    case .strategyFailed: "strategyFailed"
    }
  }
}
