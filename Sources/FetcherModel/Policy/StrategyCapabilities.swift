/// What a strategy can and cannot do.
public struct StrategyCapabilities: Sendable, Equatable {
  /// Whether a cancel stops the work. Otherwise the fetch still ends at once with `cancelled`, and its work goes on, unseen.
  public var canCancel: Bool
  /// Whether the HTTP status is known.
  public var seesStatus: Bool
  /// Whether progress is reported, and the size limit kept, while the body streams.
  public var reportsProgress: Bool
  /// Whether redirects can be validated against the policy.
  public var seesRedirects: Bool
  /// Whether https can be loaded; otherwise it ends with ``FetchError/unsupportedScheme(strategy:)``.
  public var loadsHTTPS: Bool
  /// One sentence about how it works.
  public var note: String

  /// Declares what a strategy can do: by default it only loads https.
  public init(
    canCancel: Bool = false, seesStatus: Bool = false, reportsProgress: Bool = false, seesRedirects: Bool = false,
    loadsHTTPS: Bool = true, note: String
  ) {
    self.canCancel = canCancel
    self.seesStatus = seesStatus
    self.reportsProgress = reportsProgress
    self.seesRedirects = seesRedirects
    self.loadsHTTPS = loadsHTTPS
    self.note = note
  }

  /// Everything, with or without https.
  static func all(loadsHTTPS: Bool = true, _ note: String) -> StrategyCapabilities {
    StrategyCapabilities(
      canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, loadsHTTPS: loadsHTTPS, note: note)
  }
}

/// The name under which a strategy is registered and selected: one of those that ship, or any string literal.
///
/// ```swift
/// try environment.select(strategy: .dataTask)
/// try environment.select(strategy: "folder")
/// ```
public struct StrategyName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as text.
  public let description: String

  /// A name that is only known while the program runs.
  public init(_ name: String) { description = name }

  /// A name that is written in the code.
  public init(stringLiteral name: String) { description = name }

  /// The name of ``BlockingStrategy``.
  public static let blocking: StrategyName = "blocking"
  /// The name of ``DataTaskStrategy``.
  public static let dataTask: StrategyName = "dataTask"
  /// The name of ``DownloadTaskStrategy``.
  public static let downloadTask: StrategyName = "downloadTask"
  /// The name of ``AsyncStrategy``.
  public static let async: StrategyName = "async"
  /// The name of ``SocketStrategy``.
  public static let socket: StrategyName = "socket"
}
