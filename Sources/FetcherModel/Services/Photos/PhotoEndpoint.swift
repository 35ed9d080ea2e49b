public import Foundation

/// One thing that a photo service can be asked for: a method of its namespace and the parameters of that method.
///
/// A further endpoint is one more value:
///
/// ```swift
/// extension PhotoEndpoint {
///   static func ofUser(_ id: String) -> PhotoEndpoint { PhotoEndpoint("getUserPhotos", ["user_id": id]) }
/// }
/// ```
public struct PhotoEndpoint: Sendable, Hashable {
  /// The method, without the namespace of the service.
  public let method: String
  /// What the method needs beside that which every request has, in the order in which it is sent.
  public let parameters: [URLQueryItem]

  /// An endpoint of any service.
  public init(_ method: String, _ parameters: KeyValuePairs<String, String> = [:]) {
    self.method = method
    self.parameters = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
  }

  /// The recent photos of Flickr.
  public static let recent = PhotoEndpoint("getRecent")
  /// The latest photos of SooGreyhounds.
  public static let latest = PhotoEndpoint("getList")
  /// The photos that have a text in their title or description.
  public static func search(_ text: String) -> PhotoEndpoint { PhotoEndpoint("search", ["text": text]) }
}
