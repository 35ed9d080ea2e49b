public import EventBus
public import FetcherModel
public import Foundation

/// A client of a ``PhotoService`` that fetches lists and pictures, and uploads pictures. Safe to use from any thread;
/// results arrive on main.
///
/// The store keeps one image for each photo in the last list, so each picture is fetched only once.
///
/// ``ServiceResponded`` reports the status and header fields of every response, including responses for pictures, if
/// the strategy reports them. Lists and uploads do not count toward the environment's `maximumInFlight` and are not
/// retried. Pictures are ordinary images.
public final class PhotoStore: Sendable {
  /// The service from which the store fetches.
  public let service: PhotoService
  private let environment: FetchEnvironment
  private let images = Locked<[Photo: IFImage]>([:])
  private let lists = Locked<[PhotoEndpoint: ServiceResource<[Photo], PhotoListError>]>([:])

  /// Creates a store that fetches with the strategy of `environment`. Fetches nothing.
  public init(_ service: PhotoService, in environment: FetchEnvironment) {
    self.service = service
    self.environment = environment
  }

  /// Returns an endpoint's resource, with its state and the key for its events. All calls for one endpoint return the
  /// same resource. Fetches nothing.
  ///
  /// - Parameter endpoint: the endpoint, or nil for the service's list.
  public func list(_ endpoint: PhotoEndpoint? = nil) -> ServiceResource<[Photo], PhotoListError> {
    let endpoint = endpoint ?? service.list
    return lists.withLock { lists in
      if let list = lists[endpoint] { return list }
      let request = ServiceRequest.get(service.address(of: endpoint), secret: service.apiKey.value)
      let list = ServiceResource<[Photo], PhotoListError>(endpoint.method, request, in: environment) { answer in
        answer.mapError(PhotoListError.fetch).flatMap { body in
          Result { () throws(PhotoListError) in try PhotoList.photos(in: body.bytes) }
        }
      } arrived: { [weak self] photos in
        self?.forgetImages(except: Set(photos))
      }
      lists[endpoint] = list
      return list
    }
  }

  /// Fetches a list, and then calls `completion` once, on main. Entries without a required value are omitted.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint, or nil for the service's list.
  ///   - completion: a closure called once, on main, and never synchronously.
  /// - Returns: a handle. Cancelling it completes the call with `fetch(.cancelled)`; releasing it has no effect.
  @discardableResult public func fetchPhotos(
    _ endpoint: PhotoEndpoint? = nil, completion: @escaping @Sendable (Result<[Photo], PhotoListError>) -> Void
  ) -> any Cancellation {
    list(endpoint).fetch(completion: completion)
  }

  /// Fetches a list, by default the service's list. Cancelling the calling task throws `fetch(.cancelled)`.
  public func fetchPhotos(_ endpoint: PhotoEndpoint? = nil) async throws(PhotoListError) -> [Photo] {
    try await list(endpoint).fetch()
  }

  /// Returns a photo's image. Each call returns the same image until a list without that photo arrives. Reading the
  /// image starts the fetch.
  public func image(of photo: Photo) -> IFImage {
    images.withLock { images in
      if let image = images[photo] { return image }
      let image = IFImage(name: photo.title, url: photo.remoteURL.absoluteString, in: environment) {
        [environment, secret = service.apiKey.value] response in
        environment.runtime.main.schedule { environment.bus.post(ServiceResponded(response, hiding: secret)) }
      }
      images[photo] = image
      return image
    }
  }

  /// Fetches a photo's picture if necessary, and then calls `completion` once, on main.
  ///
  /// - Returns: the image, which the caller can cancel or observe.
  @discardableResult public func fetchImage(
    for photo: Photo, completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void
  ) -> IFImage {
    let image = image(of: photo)
    image.load(completion)
    return image
  }

  /// Sends a picture by POST, with its length and the accepted media type, and then calls `completion` once, on main.
  /// Always uses a data task on a separate connection, and never retries.
  ///
  /// If `FetchLimits.deadline` is nil, the upload ends after 60 seconds. A response with a different media type is an
  /// error, regardless of its status. A response without a body is a success.
  ///
  /// - Parameters:
  ///   - picture: the picture to send.
  ///   - address: the destination, which the environment's transport policy must allow.
  ///   - accepting: the media type for the `Accept` header field.
  ///   - completion: a closure called once, on main, and never synchronously.
  /// - Returns: a handle. Cancelling it completes the call with `fetch(.cancelled)`; releasing it has no effect.
  @discardableResult public func upload(
    _ picture: Picture, to address: String, accepting: String = "application/json",
    completion: @escaping @Sendable (Result<FetchedBody, PhotoUploadError>) -> Void
  ) -> any Cancellation {
    let exchange = ServiceExchange<FetchedBody, PhotoUploadError>(in: environment) { answer in
      answer.mapError(PhotoUploadError.fetch).flatMap { body in
        body.isOf(type: accepting) ? .success(body) : .failure(.unexpectedAnswer(contentType: body.contentType))
      }
    }
    // Foundation adds `Content-Length`.
    let headers: HTTPHeaders = ["Accept": accepting, "Content-Type": picture.format.mediaType]
    exchange.start(.post(address, body: picture.bytes, headers: headers), completion)
    return exchange
  }

  private func forgetImages(except photos: Set<Photo>) {
    let old = images.withLock { images in
      defer { images = images.filter { photos.contains($0.key) } }
      return images
    }
    withExtendedLifetime(old) {}
  }
}

extension FetchedBody {
  /// Whether the data has the given media type. JSON is detected from the bytes. Empty data matches any type.
  fileprivate func isOf(type: String) -> Bool {
    if bytes.isEmpty { return true }
    if type == "application/json" {
      return (try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)) != nil
    }
    let essence = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    return essence?.caseInsensitiveCompare(type) == .orderedSame
  }
}

/// The reason why a photo service did not accept a picture.
public enum PhotoUploadError: Error, Equatable, Sendable {
  /// The status is a success, but the body has a different media type. For example, a captive portal or a proxy
  /// returned its own page.
  case unexpectedAnswer(contentType: String?)
  /// The request failed or returned a non-success status.
  case fetch(FetchError)
}

extension PhotoUploadError: LocalizedError, CustomStringConvertible {
  /// The same text as ``description``. It is also returned by `localizedDescription`.
  public var errorDescription: String? { description }

  /// The problem and its remedy, on one line.
  public var description: String {
    switch self {
    case .unexpectedAnswer(let type):
      "the upload: the response is not of the requested type (the server states "
        + "\(type.map { "the type \($0)" } ?? "no type")); "
        + "check the address, because the picture may not have been stored"
    case .fetch(let error): error.message(of: "the upload")
    }
  }
}
