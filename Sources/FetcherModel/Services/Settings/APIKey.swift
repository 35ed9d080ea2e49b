public import Foundation

/// The key that a web service knows its user by. It shows its value to nobody but the service.
public struct APIKey: Sendable, Equatable {
  let value: String

  /// Takes the key from an environment variable or, if that is not set, from a file. Blocks on the disk.
  ///
  /// Space and line breaks around the key do not count, and an empty key is none.
  ///
  /// - Parameters:
  ///   - variable: the name of the environment variable.
  ///   - file: a file with nothing but the key; nil for none.
  ///   - environment: where the variable is looked up.
  /// - Throws: `missingConfiguration` that names the variable and the file.
  public init(
    variable: String, file: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(FetchError) {
    let texts = [environment[variable], file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }]
    let keys = texts.compactMap { $0?.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard let key = keys.first(where: { !$0.isEmpty }) else {
      throw .missingConfiguration(variable + (file.map { ", or the file \($0.path)" } ?? ""))
    }
    value = key
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Not the key.
  public var description: String { "(an API key)" }
  /// Not the key either.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` does not show the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
