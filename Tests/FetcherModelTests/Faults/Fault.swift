import FetcherModel
import ModelFixtures
import OriginServer
import Testing

/// One way for a fetch to go wrong, and what each strategy must make of it: one row of the fault table.
struct Fault: Sendable, CustomTestStringConvertible {
  /// Where the trouble lies.
  enum Place: Sendable {
    /// In these answers of a running origin, one after the other.
    case answers([OriginResponse])
    /// Nobody listens on the port.
    case refused
    /// The host has no address.
    case unknownHost
  }

  /// What a fetch comes to.
  enum Outcome: Equatable, Sendable {
    case picture
    case failure(FetchError)
  }

  let name: String
  let place: Place
  /// What the strategies that see the answer report.
  let seeing: Outcome
  /// What the blocking strategy reports.
  let blocking: Outcome
  /// What a download task reports, where that is not what the others that see the answer do.
  var download: Outcome?
  /// What the strategy without Foundation reports, where that is something else.
  var socket: Outcome?
  var limits = FetchLimits.patient
  /// What the table adds.
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

  /// The row as it stands in the documentation.
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
  /// The case as it is written in code.
  fileprivate var caseText: String {
    switch self {
    case .unsupportedScheme: "unsupportedScheme"
    case .badStatus(let status): "badStatus(\(status))"
    case .transport(let error): "transport(\(error.code))"
    case .catalogue: "catalogue"
    case .missingConfiguration(let key): "missingConfiguration(\(key))"
    case .unknownStrategy(let name, _): "unknownStrategy(\(name))"
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
