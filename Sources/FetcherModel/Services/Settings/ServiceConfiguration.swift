public import Foundation

/// The settings of a service by key, from a property list such as `Info.plist`.
public struct ServiceConfiguration: Sendable, Equatable {
  private let texts: [String: String]

  /// Reads a file. Blocks on the disk.
  ///
  /// - Throws: `missingConfiguration` that names the file when it cannot be read or holds no dictionary.
  public init(contentsOf file: URL) throws(FetchError) {
    guard let data = try? Data(contentsOf: file) else { throw .missingConfiguration(file.path) }
    try self.init(propertyList: data, name: file.path)
  }

  /// Reads a property list in any of its formats. Values that are no strings are left out.
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
  }

  /// The text of a setting.
  ///
  /// - Throws: `missingConfiguration` with the key, when the setting is missing, empty or no text.
  public func text(_ key: String) throws(FetchError) -> String {
    guard let text = texts[key], !text.isEmpty else { throw .missingConfiguration(key) }
    return text
  }

  /// The address of a setting.
  ///
  /// - Throws: `missingConfiguration` as ``text(_:)`` does, `invalidURL` when the text is no whole address.
  public func url(_ key: String) throws(FetchError) -> URL {
    guard let url = URL(string: try text(key)), url.scheme != nil, url.host?.isEmpty == false else {
      throw .invalidURL
    }
    return url
  }
}
