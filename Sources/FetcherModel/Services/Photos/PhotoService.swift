public import Foundation

/// A web service in the manner of Flickr: one address, a method and parameters, a list of photos as the answer.
///
/// The two services that are known differ in nothing but these values.
public struct PhotoService: Sendable, Equatable {
  /// What people call it.
  public let name: String
  /// Where requests go.
  public let baseURL: URL
  /// The method that lists photos.
  public let listMethod: String
  let apiKey: APIKey

  /// A service with an address and a list method of its own.
  public init(name: String, baseURL: URL, listMethod: String, apiKey: APIKey) {
    self.name = name
    self.baseURL = baseURL
    self.listMethod = listMethod
    self.apiKey = apiKey
  }

  /// Photorama: the recent photos of Flickr.
  ///
  /// - Parameters:
  ///   - apiKey: the key that Flickr gave out.
  ///   - baseURL: nil for Flickr itself; another origin for tests.
  public static func photorama(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "Photorama", baseURL: baseURL ?? URL(string: "https://api.flickr.com/services/rest")!,
      listMethod: "flickr.photos.getRecent", apiKey: apiKey)
  }

  /// SooGreyhounds: the latest photos of a hockey team.
  ///
  /// - Parameters:
  ///   - apiKey: the key that the team gave out.
  ///   - baseURL: nil for the team's server; another origin for tests.
  public static func sooGreyhounds(apiKey: APIKey, baseURL: URL? = nil) -> PhotoService {
    PhotoService(
      name: "SooGreyhounds", baseURL: baseURL ?? URL(string: "https://api.soogreyhounds.gutty.ca/services/rest")!,
      listMethod: "soogreyhounds.photos.getList", apiKey: apiKey)
  }

  /// The address of the photo list: the base and the parameters `method`, `format`, `nojsoncallback`, `api_key`,
  /// `extras`, in this order. It holds the API key, so it is not for display.
  public var listAddress: String {
    let parameters = [
      ("method", listMethod), ("format", "json"), ("nojsoncallback", "1"), ("api_key", apiKey.value),
      ("extras", "url_h,date_taken"),
    ]
    let queried = baseURL.appending(queryItems: parameters.map { URLQueryItem(name: $0.0, value: $0.1) })
    // A plus is allowed in a query, but servers read it as a space.
    return queried.absoluteString.replacing("+", with: "%2B")
  }
}
