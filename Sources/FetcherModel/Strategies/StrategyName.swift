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
