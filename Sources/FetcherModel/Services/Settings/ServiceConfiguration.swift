public import Foundation

/// The settings of a service by key, from a property list such as `Info.plist`.
///
/// An address that begins with `/` is below the one of the key `BaseUrl`.
public struct ServiceConfiguration: Sendable, Equatable {
  private var texts: [String: String]
  private var tables: [String: [[String: String]]] = [:]
  /// Which addresses may be fetched: arbitrary loads are allowed where `NSAllowsArbitraryLoads` of `NSAppTransportSecurity` is
  /// true.
  public private(set) var transportPolicy = TransportPolicy()

  /// Settings of one's own.
  public init(_ texts: [String: String]) { self.texts = texts }

  /// Reads a file. Blocks on the disk.
  ///
  /// - Throws: `missingConfiguration` that names the file when it cannot be read or holds no dictionary.
  public init(contentsOf file: URL) throws(FetchError) {
    guard let data = try? Data(contentsOf: file) else { throw .missingConfiguration(file.path) }
    try self.init(propertyList: data, name: file.path)
  }

  /// Reads a property list in any of its formats. Values that are no strings, and no lists of dictionaries of strings, are
  /// left out.
  ///
  /// - Parameters:
  ///   - data: the list.
  ///   - name: what the data is called in errors.
  /// - Throws: `missingConfiguration` when the data is no property list with a dictionary.
  public init(propertyList data: Data, name: String) throws(FetchError) {
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let dictionary = list as? [String: Any] else {
      throw .missingConfiguration("a property list with a dictionary in \(name)")
    }
    texts = dictionary.compactMapValues { $0 as? String }
    tables = dictionary.compactMapValues { $0 as? [[String: String]] }
    let security = dictionary["NSAppTransportSecurity"] as? [String: Any]
    transportPolicy.allowsArbitraryLoads = security?["NSAllowsArbitraryLoads"] as? Bool ?? false
  }

  /// The same with another text for a key.
  public func setting(_ key: String, to text: String) -> ServiceConfiguration {
    var configuration = self
    configuration.texts[key] = text
    return configuration
  }

  /// The text of a setting.
  ///
  /// - Throws: `missingConfiguration` with the key, when the setting is missing, empty or no text.
  public func text(_ key: String) throws(FetchError) -> String {
    guard let text = texts[key], !text.isEmpty else { throw .missingConfiguration(key) }
    return text
  }

  /// The rows of a setting.
  ///
  /// - Throws: `missingConfiguration` with the key, when the setting is missing, or no list of dictionaries of strings.
  public func table(_ key: String) throws(FetchError) -> [[String: String]] {
    guard let table = tables[key] else { throw .missingConfiguration(key) }
    return table
  }

  /// The address of a setting.
  ///
  /// - Throws: `missingConfiguration` as ``text(_:)`` does, also for `BaseUrl` where that is needed; `invalidURL` when the text
  ///   is no whole address.
  public func url(_ key: String) throws(FetchError) -> URL { try address(try text(key)) }

  /// The address that a text stands for: itself, or below `BaseUrl` where it begins with `/`.
  ///
  /// - Throws: as ``url(_:)`` does.
  public func address(_ text: String) throws(FetchError) -> URL {
    let isPath = text.utf8.first == UInt8(ascii: "/")
    var base = isPath ? try self.text("BaseUrl") : ""
    while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
    guard let url = URL(string: base + text), url.scheme != nil, url.host?.isEmpty == false else { throw .invalidURL }
    return url
  }
}

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
