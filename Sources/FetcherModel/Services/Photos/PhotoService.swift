public import Foundation

/// A web service in the manner of Flickr: one address, a method and parameters, a list of photos as the answer.
///
/// The two services that are known differ in nothing but these values.
public struct PhotoService: Sendable, Equatable {
  /// What people call it.
  public let name: String
  /// Where requests go.
  public let baseURL: URL
  /// What the methods of its endpoints begin with, such as `flickr.photos`.
  public let namespace: String
  /// The photos that a page shows when it first appears.
  public let list: PhotoEndpoint
  let apiKey: APIKey

  /// A service with an address and methods of its own.
  public init(name: String, baseURL: URL, namespace: String, list: PhotoEndpoint, apiKey: APIKey) {
    self.name = name
    self.baseURL = baseURL
    self.namespace = namespace
    self.list = list
    self.apiKey = apiKey
  }

  /// A service whose values come from a property list: `PhotoServiceName`, `PhotoServiceUrl`, `PhotoNamespace` and
  /// `PhotoListMethod`.
  ///
  /// - Throws: `missingConfiguration` or `invalidURL`.
  public init(_ configuration: ServiceConfiguration, apiKey: APIKey) throws(FetchError) {
    self.init(
      name: try configuration.text("PhotoServiceName"), baseURL: try configuration.url("PhotoServiceUrl"),
      namespace: try configuration.text("PhotoNamespace"),
      list: PhotoEndpoint(try configuration.text("PhotoListMethod")), apiKey: apiKey)
  }

  /// Photorama: the recent photos of Flickr.
  ///
  /// - Parameters:
  ///   - apiKey: the key that Flickr gave out.
  ///   - baseURL: nil for Flickr itself; another origin for tests.
  public static func photorama(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "Photorama", baseURL: baseURL ?? URL(string: "https://api.flickr.com/services/rest")!,
      namespace: "flickr.photos", list: .recent, apiKey: apiKey)
  }

  /// SooGreyhounds: the latest photos of a hockey team.
  ///
  /// - Parameters:
  ///   - apiKey: the key that the team gave out.
  ///   - baseURL: nil for the team's server; another origin for tests.
  public static func sooGreyhounds(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "SooGreyhounds", baseURL: baseURL ?? URL(string: "https://api.soogreyhounds.gutty.ca/services/rest")!,
      namespace: "soogreyhounds.photos", list: .latest, apiKey: apiKey)
  }

  /// The address of ``list``. It holds the API key, so it is not for display.
  public var listAddress: String { address(of: list) }

  /// The address of an endpoint: the base and the parameters `method`, `format`, `nojsoncallback`, `api_key`, `extras`,
  /// in this order, then those of the endpoint. It holds the API key, so it is not for display.
  public func address(of endpoint: PhotoEndpoint) -> String {
    let common = [
      ("method", "\(namespace).\(endpoint.method)"), ("format", "json"), ("nojsoncallback", "1"),
      ("api_key", apiKey.value), ("extras", "url_h,date_taken"),
    ]
    let queried = baseURL.appending(
      queryItems: common.map { URLQueryItem(name: $0.0, value: $0.1) } + endpoint.parameters)
    // A plus is allowed in a query, but servers read it as a space.
    return queried.absoluteString.replacing("+", with: "%2B")
  }
}

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
