public import EventBus
import Foundation

/// Makes the calls of a ``PhotoService``: the list, the pictures, an upload. Any thread; results arrive on main.
///
/// ``ServiceResponded`` reports the status and the header fields of each answer, where the strategy can see them. The list and
/// an upload do not count for ``FetchLimits/maximumInFlight`` and are not tried again; the pictures are images like any other.
public struct PhotoStore: Sendable {
  /// The service that is called.
  public let service: PhotoService
  private let environment: FetchEnvironment

  /// A store that fetches with the strategy of `environment`. Nothing is fetched yet.
  public init(_ service: PhotoService, in environment: FetchEnvironment) {
    self.service = service
    self.environment = environment
  }

  /// Fetches the list and calls `completion` once, on main. Entries without all that a photo needs are left out.
  ///
  /// - Returns: a handle; cancelling it ends with `fetch(.cancelled)`, dropping it changes nothing.
  @discardableResult public func fetchPhotos(
    completion: @escaping @Sendable (Result<[Photo], PhotoError>) -> Void
  ) -> any Cancellation {
    let exchange = list
    exchange.start(question, completion)
    return exchange
  }

  /// The list. Cancelling the calling task ends it with `fetch(.cancelled)`.
  public func fetchPhotos() async throws(PhotoError) -> [Photo] {
    try await list.answer(to: question)
  }

  /// The picture of a photo, not fetched yet.
  public func image(of photo: Photo) -> IFImage {
    IFImage(photo.title, photo.remoteURL.absoluteString, in: environment)
  }

  /// Fetches the picture of a photo and calls `completion` once, on main.
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
  /// It ends after 60 seconds where ``FetchLimits/deadline`` is nil.
  ///
  /// - Parameters:
  ///   - picture: what to send.
  ///   - address: where to; the environment's transport policy holds for it.
  ///   - accepting: the media type for the header field `Accept`.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: a handle; cancelling it ends with `cancelled`, dropping it changes nothing.
  @discardableResult public func upload(
    _ picture: Picture, to address: String, accepting: String = "application/json",
    completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let exchange = ServiceExchange<FetchedBody, FetchError>(in: environment) { $0 }
    // Foundation counts the body and adds `Content-Length`.
    let headers = [(name: "Accept", value: accepting), (name: "Content-Type", value: picture.format.mediaType)]
    exchange.start(.post(address, body: picture.bytes, headers: headers), completion)
    return exchange
  }

  private var question: ServiceQuestion { .get(service.listAddress, secret: service.apiKey.value) }

  private var list: ServiceExchange<[Photo], PhotoError> {
    ServiceExchange(in: environment) { answer in
      answer.mapError(PhotoError.fetch).flatMap { body in
        Result { () throws(PhotoError) in try PhotoList.photos(in: body.bytes) }
      }
    }
  }
}
