public import Foundation

/// A web service in the style of Flickr. The service has one address, accepts a method with parameters, and responds
/// with a list of photos.
///
/// The two built-in services differ only in the values of this type's properties.
public struct PhotoService: Sendable, Equatable {
  /// The service's human-readable name.
  public let name: String
  /// The URL to which requests are sent.
  public let baseURL: URL
  /// The prefix of the service's methods, such as `flickr.photos`.
  public let namespace: String
  /// The endpoint that a page shows when it first appears.
  public let list: PhotoEndpoint
  let apiKey: APIKey

  /// Creates a service with its own address and methods.
  public init(name: String, baseURL: URL, namespace: String, list: PhotoEndpoint, apiKey: APIKey) {
    self.name = name
    self.baseURL = baseURL
    self.namespace = namespace
    self.list = list
    self.apiKey = apiKey
  }

  /// Creates a service from a property list with the keys `PhotoServiceName`, `PhotoServiceUrl`, `PhotoNamespace` and
  /// `PhotoListMethod`.
  ///
  /// - Throws: `missingConfiguration` or `invalidURL`.
  public init(_ configuration: ServiceConfiguration, apiKey: APIKey) throws(ServiceError) {
    self.init(
      name: try configuration.text("PhotoServiceName"), baseURL: try configuration.url("PhotoServiceUrl"),
      namespace: try configuration.text("PhotoNamespace"),
      list: PhotoEndpoint(try configuration.text("PhotoListMethod")), apiKey: apiKey)
  }

  /// Photorama, which lists recent photos from Flickr.
  ///
  /// - Parameters:
  ///   - apiKey: the API key from Flickr.
  ///   - baseURL: a different origin for tests, or nil for Flickr.
  public static func photorama(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "Photorama", baseURL: baseURL ?? URL(string: "https://api.flickr.com/services/rest")!,
      namespace: "flickr.photos", list: .recent, apiKey: apiKey)
  }

  /// SooGreyhounds, which lists the latest photos of a hockey team.
  ///
  /// - Parameters:
  ///   - apiKey: the API key from the team.
  ///   - baseURL: a different origin for tests, or nil for the team's server.
  public static func sooGreyhounds(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "SooGreyhounds", baseURL: baseURL ?? URL(string: "https://api.soogreyhounds.gutty.ca/services/rest")!,
      namespace: "soogreyhounds.photos", list: .latest, apiKey: apiKey)
  }

  /// The address of ``list``. The address contains the API key, so it must not be displayed.
  public var listAddress: String { address(of: list) }

  /// Returns an endpoint's address: the base, the parameters `method`, `format`, `nojsoncallback`, `api_key` and
  /// `extras` in this order, followed by the endpoint's own parameters. The address contains the API key, so it must
  /// not be displayed.
  public func address(of endpoint: PhotoEndpoint) -> String {
    let common = [
      ("method", "\(namespace).\(endpoint.method)"), ("format", "json"), ("nojsoncallback", "1"),
      ("api_key", apiKey.value), ("extras", "url_h,date_taken"),
    ]
    let queried = baseURL.appending(
      queryItems: common.map { URLQueryItem(name: $0.0, value: $0.1) } + endpoint.parameters)
    // A query may contain a plus sign, but servers decode it as a space.
    return queried.absoluteString.replacing("+", with: "%2B")
  }
}

/// An endpoint of a photo service: a method in the service's namespace, with parameters.
///
/// To add an endpoint, declare another value:
///
/// ```swift
/// extension PhotoEndpoint {
///   static func ofUser(_ id: String) -> PhotoEndpoint { PhotoEndpoint("getUserPhotos", ["user_id": id]) }
/// }
/// ```
public struct PhotoEndpoint: Sendable, Hashable {
  /// The method, without the service's namespace.
  public let method: String
  /// The endpoint's own parameters, in order. Every request also has the common parameters.
  public let parameters: [URLQueryItem]

  /// Creates an endpoint for any service.
  public init(_ method: String, _ parameters: KeyValuePairs<String, String> = [:]) {
    self.method = method
    self.parameters = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
  }

  /// Recent photos from Flickr.
  public static let recent = PhotoEndpoint("getRecent")
  /// The latest photos from SooGreyhounds.
  public static let latest = PhotoEndpoint("getList")
  /// Returns an endpoint for photos that have this text in their title or description.
  public static func search(_ text: String) -> PhotoEndpoint { PhotoEndpoint("search", ["text": text]) }
}
