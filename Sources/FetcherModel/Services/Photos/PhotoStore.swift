public import EventBus
public import Foundation

/// Makes the calls of a ``PhotoService``: lists, pictures, an upload. Any thread; results arrive on main.
///
/// A photo keeps its picture: the store has one image for each photo of the last list, so that a picture is fetched once.
///
/// ``ServiceResponded`` reports the status and the header fields of each answer, also of a picture's, where the strategy can see
/// them. A list and an upload do not count for ``FetchLimits/maximumInFlight`` and are not tried again; the pictures are images
/// like any other.
public final class PhotoStore: Sendable {
  /// The service that is called.
  public let service: PhotoService
  private let environment: FetchEnvironment
  private let images = Locked<[Photo: IFImage]>([:])
  private let lists = Locked<[PhotoEndpoint: ServiceResource<[Photo], PhotoListError>]>([:])

  /// A store that fetches with the strategy of `environment`. Nothing is fetched yet.
  public init(_ service: PhotoService, in environment: FetchEnvironment) {
    self.service = service
    self.environment = environment
  }

  /// The photos of an endpoint: their state, and the key of their events. The same one each time. Nothing is fetched yet.
  ///
  /// - Parameter endpoint: what to ask for; nil for the list of the service.
  public func list(_ endpoint: PhotoEndpoint? = nil) -> ServiceResource<[Photo], PhotoListError> {
    let endpoint = endpoint ?? service.list
    return lists.withLock { lists in
      if let list = lists[endpoint] { return list }
      let question = ServiceQuestion.get(service.address(of: endpoint), secret: service.apiKey.value)
      let list = ServiceResource<[Photo], PhotoListError>(endpoint.method, question, in: environment) { answer in
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

  /// Fetches a list and calls `completion` once, on main. Entries without all that a photo needs are left out.
  ///
  /// - Parameters:
  ///   - endpoint: what to ask for; nil for the list of the service.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: a handle; cancelling it ends with `fetch(.cancelled)`, dropping it changes nothing.
  @discardableResult public func fetchPhotos(
    _ endpoint: PhotoEndpoint? = nil, completion: @escaping @Sendable (Result<[Photo], PhotoListError>) -> Void
  ) -> any Cancellation {
    list(endpoint).fetch(completion: completion)
  }

  /// A list, by default that of the service. Cancelling the calling task ends it with `fetch(.cancelled)`.
  public func fetchPhotos(_ endpoint: PhotoEndpoint? = nil) async throws(PhotoListError) -> [Photo] {
    try await list(endpoint).fetch()
  }

  /// The image of a photo, the same one each time, until a list arrives without that photo. Fetched when it is first read.
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

  /// Fetches the picture of a photo, unless the photo has it, and calls `completion` once, on main.
  ///
  /// - Returns: the image that is fetched, to cancel or to watch.
  @discardableResult public func fetchImage(
    for photo: Photo, completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void
  ) -> IFImage {
    let image = image(of: photo)
    image.load(completion)
    return image
  }

  /// Sends a picture by POST, with its length and the type of answer that is wanted, and calls `completion` once, on
  /// main. A data task does it, whatever the strategy, on a connection of its own, and is never tried again.
  ///
  /// It ends after 60 seconds where ``FetchLimits/deadline`` is nil. An answer that is not of the type that was asked for is
  /// an error, whatever its status; one without a body is well.
  ///
  /// - Parameters:
  ///   - picture: what to send.
  ///   - address: where to; the environment's transport policy holds for it.
  ///   - accepting: the media type for the header field `Accept`.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: a handle; cancelling it ends with `fetch(.cancelled)`, dropping it changes nothing.
  @discardableResult public func upload(
    _ picture: Picture, to address: String, accepting: String = "application/json",
    completion: @escaping @Sendable (Result<FetchedBody, PhotoUploadError>) -> Void
  ) -> any Cancellation {
    let exchange = ServiceExchange<FetchedBody, PhotoUploadError>(in: environment) { answer in
      answer.mapError(PhotoUploadError.fetch).flatMap { body in
        body.isOf(type: accepting) ? .success(body) : .failure(.unexpectedAnswer(contentType: body.contentType))
      }
    }
    // Foundation counts the body and adds `Content-Length`.
    let headers = [(name: "Accept", value: accepting), (name: "Content-Type", value: picture.format.mediaType)]
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
  /// Whether this is of a media type. JSON is known by its bytes, whatever the server calls them; nothing is of any type.
  fileprivate func isOf(type: String) -> Bool {
    if bytes.isEmpty { return true }
    if type == "application/json" {
      return (try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)) != nil
    }
    let essence = contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    return essence?.caseInsensitiveCompare(type) == .orderedSame
  }
}

/// Why a photo service did not take a picture.
public enum PhotoUploadError: Error, Equatable, Sendable {
  /// The status is good, and the body is not what was asked for: a page of a portal or a proxy, not the service's answer.
  case unexpectedAnswer(contentType: String?)
  /// There was no answer, or not a good one.
  case fetch(FetchError)
}

extension PhotoUploadError: LocalizedError, CustomStringConvertible {
  /// The same as ``description``: what `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// What went wrong and what to do about it: one line of plain English.
  public var description: String {
    switch self {
    case .unexpectedAnswer(let type):
      "the upload: the answer is \(type.map { "of the type \($0)" } ?? "of no known type"), which was not asked for; "
        + "see what the address leads to, as the picture may not have been stored"
    case .fetch(let error): error.message(of: "the upload")
    }
  }
}
