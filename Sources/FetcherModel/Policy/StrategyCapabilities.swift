public import Foundation

/// The capabilities of a strategy.
public struct StrategyCapabilities: Sendable, Equatable {
  /// Whether cancelling stops the work. If not, a cancelled fetch still ends immediately with `cancelled`, but its work
  /// continues and the result is ignored.
  public var canCancel: Bool
  /// Whether the strategy reports the HTTP status.
  public var seesStatus: Bool
  /// Whether the strategy reports progress and enforces the size limit while the body streams.
  public var reportsProgress: Bool
  /// Whether the strategy can validate redirects against the policy.
  public var seesRedirects: Bool
  /// Whether the strategy can load https. If not, an https request fails with
  /// ``FetchError/unsupportedScheme(strategy:)``.
  public var loadsHTTPS: Bool
  /// Whether the strategy sends header fields. If not, a request with header fields fails with
  /// ``FetchError/headersUnsent(strategy:)``.
  public var sendsHeaders: Bool
  /// A one-line description of the implementation.
  public var note: String

  /// Creates capabilities. By default, a strategy loads https and sends header fields, and has no other capability.
  public init(
    canCancel: Bool = false, seesStatus: Bool = false, reportsProgress: Bool = false, seesRedirects: Bool = false,
    loadsHTTPS: Bool = true, sendsHeaders: Bool = true, note: String
  ) {
    self.canCancel = canCancel
    self.seesStatus = seesStatus
    self.reportsProgress = reportsProgress
    self.seesRedirects = seesRedirects
    self.loadsHTTPS = loadsHTTPS
    self.sendsHeaders = sendsHeaders
    self.note = note
  }

  /// Returns all capabilities, with or without https.
  package static func all(loadsHTTPS: Bool = true, _ note: String) -> StrategyCapabilities {
    StrategyCapabilities(
      canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, loadsHTTPS: loadsHTTPS, note: note)
  }
}

/// The error of ``FetchEnvironment/select(strategy:)``: no strategy is registered under that name.
public struct UnknownStrategy: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// The name that is not registered.
  public let name: StrategyName
  /// The registered names.
  public let known: [StrategyName]

  /// The problem and its remedy.
  public var description: String {
    "configuration: no strategy is called “\(name)”; select one of \(known.map(\.description).joined(separator: ", "))"
  }

  /// The same text as ``description``. It is also returned by `localizedDescription`.
  public var errorDescription: String? { description }
}

/// The name under which a strategy is registered and selected: the name of a built-in strategy, or any other string.
///
/// ```swift
/// try environment.select(strategy: .dataTask)
/// try environment.select(strategy: "folder")
/// ```
public struct StrategyName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as a string.
  public let description: String

  /// Creates a name from a string at run time.
  public init(_ name: String) { description = name }

  /// Creates a name from a string literal.
  public init(stringLiteral name: String) { description = name }

  /// The name of ``BlockingStrategy``.
  public static let blocking: StrategyName = "blocking"
  /// The name of ``DataTaskStrategy``.
  public static let dataTask: StrategyName = "dataTask"
  /// The name of ``DownloadTaskStrategy``.
  public static let downloadTask: StrategyName = "downloadTask"
  /// The name of ``AsyncStrategy``.
  public static let async: StrategyName = "async"
}
