public import FetcherModel
public import Foundation

/// A service's settings, keyed by name, from a property list such as `Info.plist`.
///
/// An address that starts with `/` is relative to the `BaseUrl` setting.
public struct ServiceConfiguration: Sendable, Equatable {
  private var texts: [String: String]
  private var tables: [String: [[String: String]]] = [:]
  /// The transport policy. The policy allows arbitrary loads if `NSAllowsArbitraryLoads` in `NSAppTransportSecurity` is
  /// true.
  public private(set) var transportPolicy = TransportPolicy()

  /// Creates settings from the given values.
  public init(_ texts: [String: String]) { self.texts = texts }

  /// Reads the settings from a file. Blocks while reading from disk.
  ///
  /// - Throws: `missingConfiguration`, with the file's path, if the file cannot be read or does not contain a
  ///   dictionary.
  public init(contentsOf file: URL) throws(ServiceError) {
    guard let data = try? Data(contentsOf: file) else { throw .missingConfiguration(file.path) }
    try self.init(propertyList: data, name: file.path)
  }

  /// Reads a property list in any format. Keeps only strings, and lists of string dictionaries.
  ///
  /// - Parameters:
  ///   - data: the property list.
  ///   - name: the name used for the data in error messages.
  /// - Throws: `missingConfiguration` if the data is not a property list that contains a dictionary.
  public init(propertyList data: Data, name: String) throws(ServiceError) {
    let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
    guard let dictionary = list as? [String: Any] else {
      throw .missingConfiguration("a property list with a dictionary in \(name)")
    }
    texts = dictionary.compactMapValues { $0 as? String }
    tables = dictionary.compactMapValues { $0 as? [[String: String]] }
    let security = dictionary["NSAppTransportSecurity"] as? [String: Any]
    transportPolicy.allowsArbitraryLoads = security?["NSAllowsArbitraryLoads"] as? Bool ?? false
  }

  /// Returns the same settings with the text for one key replaced.
  public func setting(_ key: String, to text: String) -> ServiceConfiguration {
    var configuration = self
    configuration.texts[key] = text
    return configuration
  }

  /// Returns the text of a setting.
  ///
  /// - Throws: `missingConfiguration`, with the key, if the setting is missing, empty or not a string.
  public func text(_ key: String) throws(ServiceError) -> String {
    guard let text = texts[key], !text.isEmpty else { throw .missingConfiguration(key) }
    return text
  }

  /// Returns the rows of a setting.
  ///
  /// - Throws: `missingConfiguration`, with the key, if the setting is missing or not a list of string dictionaries.
  public func table(_ key: String) throws(ServiceError) -> [[String: String]] {
    guard let table = tables[key] else { throw .missingConfiguration(key) }
    return table
  }

  /// Returns the address in a setting.
  ///
  /// - Throws: `missingConfiguration` in the same cases as ``text(_:)``, for this setting or for a required `BaseUrl`;
  ///   `invalidURL` if the text is not a full address.
  public func url(_ key: String) throws(ServiceError) -> URL { try address(try text(key)) }

  /// Resolves an address. Text that starts with `/` is relative to `BaseUrl`; any other text is used unchanged.
  ///
  /// - Throws: the same errors as ``url(_:)``.
  public func address(_ text: String) throws(ServiceError) -> URL {
    let isPath = text.utf8.first == UInt8(ascii: "/")
    var base = isPath ? try self.text("BaseUrl") : ""
    while base.utf8.last == UInt8(ascii: "/") { base.removeLast() }
    guard let url = URL(string: base + text), url.scheme != nil, url.host?.isEmpty == false else {
      // A query or a user name can contain a secret.
      let path = (base + text).prefix { $0 != "?" }
      throw .invalidURL(String(path.split(separator: "@", omittingEmptySubsequences: false).last ?? ""))
    }
    return url
  }
}

/// An API key for a web service. Its value is passed only to the service.
public struct APIKey: Sendable, Equatable {
  let value: String

  /// Reads the key from an environment variable or, if the variable is not set, from a file. Blocks while reading from
  /// disk.
  ///
  /// White space around the key is ignored, and an empty key counts as missing.
  ///
  /// - Parameters:
  ///   - variable: the name of the environment variable.
  ///   - file: a file that contains only the key, or nil for no file.
  ///   - environment: the environment that contains the variable.
  /// - Throws: `missingConfiguration`, with the names of the variable and the file.
  public init(
    variable: String, file: URL? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(ServiceError) {
    let texts = [environment[variable], file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }]
    let keys = texts.compactMap { $0?.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard let key = keys.first(where: { !$0.isEmpty }) else {
      throw .missingConfiguration(variable + (file.map { ", or the file \($0.path)" } ?? ""))
    }
    value = key
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A description that does not contain the key.
  public var description: String { "(an API key)" }
  /// A debug description that does not contain the key.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` does not print the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
