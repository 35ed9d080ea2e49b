public import Foundation

/// A web service in the style of Flickr: one address, a method with parameters, and a list of photos as the response.
///
/// The two built-in services differ only in these values.
public struct PhotoService: Sendable, Equatable {
  /// The name for people.
  public let name: String
  /// The address of requests.
  public let baseURL: URL
  /// The prefix of the methods, such as `flickr.photos`.
  public let namespace: String
  /// The endpoint that a page shows when it first appears.
  public let list: PhotoEndpoint
  let apiKey: APIKey

  /// Makes a service with another address and other methods.
  public init(name: String, baseURL: URL, namespace: String, list: PhotoEndpoint, apiKey: APIKey) {
    self.name = name
    self.baseURL = baseURL
    self.namespace = namespace
    self.list = list
    self.apiKey = apiKey
  }

  /// Makes a service from a property list with the keys `PhotoServiceName`, `PhotoServiceUrl`, `PhotoNamespace` and
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
  ///   - apiKey: the key from Flickr.
  ///   - baseURL: another origin for tests, or nil for Flickr.
  public static func photorama(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "Photorama", baseURL: baseURL ?? URL(string: "https://api.flickr.com/services/rest")!,
      namespace: "flickr.photos", list: .recent, apiKey: apiKey)
  }

  /// SooGreyhounds: the latest photos of a hockey team.
  ///
  /// - Parameters:
  ///   - apiKey: the key from the team.
  ///   - baseURL: another origin for tests, or nil for the team's server.
  public static func sooGreyhounds(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "SooGreyhounds", baseURL: baseURL ?? URL(string: "https://api.soogreyhounds.gutty.ca/services/rest")!,
      namespace: "soogreyhounds.photos", list: .latest, apiKey: apiKey)
  }

  /// The address of ``list``. It contains the API key, so do not display it.
  public var listAddress: String { address(of: list) }

  /// Returns the address of an endpoint: the base, the parameters `method`, `format`, `nojsoncallback`, `api_key` and
  /// `extras` in this order,
  /// then the endpoint's parameters. It contains the API key, so do not display it.
  public func address(of endpoint: PhotoEndpoint) -> String {
    let common = [
      ("method", "\(namespace).\(endpoint.method)"), ("format", "json"), ("nojsoncallback", "1"),
      ("api_key", apiKey.value), ("extras", "url_h,date_taken"),
    ]
    let queried = baseURL.appending(
      queryItems: common.map { URLQueryItem(name: $0.0, value: $0.1) } + endpoint.parameters)
    // A query may contain a plus sign, but servers read it as a space.
    return queried.absoluteString.replacing("+", with: "%2B")
  }
}

/// An endpoint of a photo service: a method of its namespace with parameters.
///
/// Add an endpoint as one more value:
///
/// ```swift
/// extension PhotoEndpoint {
///   static func ofUser(_ id: String) -> PhotoEndpoint { PhotoEndpoint("getUserPhotos", ["user_id": id]) }
/// }
/// ```
public struct PhotoEndpoint: Sendable, Hashable {
  /// The method, without the namespace of the service.
  public let method: String
  /// The parameters in order, in addition to those of every request.
  public let parameters: [URLQueryItem]

  /// Makes an endpoint of any service.
  public init(_ method: String, _ parameters: KeyValuePairs<String, String> = [:]) {
    self.method = method
    self.parameters = parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
  }

  /// The recent photos of Flickr.
  public static let recent = PhotoEndpoint("getRecent")
  /// The latest photos of SooGreyhounds.
  public static let latest = PhotoEndpoint("getList")
  /// The photos with a text in their title or description.
  public static func search(_ text: String) -> PhotoEndpoint { PhotoEndpoint("search", ["text": text]) }
}
