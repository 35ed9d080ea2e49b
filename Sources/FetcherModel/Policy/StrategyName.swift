public import Foundation

/// The error of ``FetchEnvironment/select(_:)``: no strategy is registered under that name.
public struct UnknownStrategy: Error, Hashable, Sendable, LocalizedError, CustomStringConvertible {
  /// The name that is not registered.
  public let name: StrategyName
  /// The registered names.
  public let known: [StrategyName]

  private var problem: String { "no strategy is called “\(name)”" }
  private var advice: String { "select one of \(known.map(\.description).joined(separator: ", "))" }

  /// The problem and its remedy on one line.
  public var description: String { "configuration: \(problem); \(advice)" }

  /// The problem in a sentence. It is also returned by `localizedDescription`.
  public var errorDescription: String? { problem.asSentence }

  /// The remedy in a sentence, with the registered names.
  public var recoverySuggestion: String? { advice.asSentence }
}

/// The name under which a strategy is registered and selected: the name of a built-in strategy, or any other string.
///
/// ```swift
/// environment.register(folderStrategy(pictures))
/// try environment.select("folder")
/// ```
public struct StrategyName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as a string.
  public let description: String

  /// Creates a name from a string at run time.
  public init(_ name: String) { description = name }

  /// Creates a name from a string literal.
  public init(stringLiteral name: String) { description = name }

  /// The name of ``StrategyFactory/blocking``.
  public static let blocking: StrategyName = "blocking"
  /// The name of ``StrategyFactory/dataTask``.
  public static let dataTask: StrategyName = "dataTask"
  /// The name of ``StrategyFactory/downloadTask``.
  public static let downloadTask: StrategyName = "downloadTask"
  /// The name of ``StrategyFactory/async``.
  public static let async: StrategyName = "async"
}
