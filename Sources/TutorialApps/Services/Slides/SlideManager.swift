public import EventBus
public import FetcherModel
import Foundation

/// The slides from a web service, with pictures that are fetched on demand. Safe to use from any thread; results arrive
/// on main.
///
/// The list does not count toward the environment's `maximumInFlight` and is not retried. Pictures are ordinary images.
public final class SlideManager: Sendable {
  /// The cache of pictures, keyed by address. If the environment has no cache, the manager creates a cache for ten
  /// pictures.
  public let cache: ImageCache
  private let environment: FetchEnvironment
  /// The list's state, with the key for its events.
  public let list: ServiceResource<Slideshow, ServiceError>
  private let imageBase: URL
  private let extraDelay: Duration
  /// The pictures that a page has requested and not yet released.
  private let loads = Locked<[Slide.ID: Load]>([:])

  private struct Load {
    let image: IFImage
    var end: Result<Picture, FetchError>?
  }

  /// - Parameters:
  ///   - configuration: the settings. `SlideWebServiceUrl` is the address of the list, and `ImageBaseUrl` is the base
  ///     address of the pictures.
  ///   - environment: the environment for all fetches.
  ///   - extraDelay: an extra delay after each fetch of a picture, to simulate a slow network. If the environment has a
  ///     cache, the picture is in that cache before the delay.
  /// - Throws: `missingConfiguration` or `invalidURL`.
  public init(
    _ configuration: ServiceConfiguration, in environment: FetchEnvironment,
    extraDelay: Duration = .zero
  ) throws(ServiceError) {
    let address = try configuration.url("SlideWebServiceUrl").absoluteString
    list = ServiceResource("slideshow", .get(address), in: environment) { answer in
      answer.mapError(ServiceError.fetch).flatMap { body in
        Result { () throws(ServiceError) in try Slideshow(data: body.bytes) }
      }
    }
    imageBase = try configuration.url("ImageBaseUrl")
    self.environment = environment
    cache = environment.cache ?? ImageCache(countLimit: 10)
    self.extraDelay = extraDelay
  }

  /// The last list, or nil if none has arrived yet.
  public var slideshow: Slideshow? { list.value }

  /// Fetches the list, which replaces the old one. Posts ``ServiceChanged``, and then calls `completion` once, on main.
  ///
  /// - Returns: a handle. Cancelling it completes the call with `fetch(.cancelled)`; releasing it has no effect.
  @discardableResult public func fetchSlideshow(
    completion: @escaping @Sendable (Result<Slideshow, ServiceError>) -> Void
  ) -> any Cancellation {
    list.fetch(completion: completion)
  }

  /// Fetches the list, which replaces the old one. Cancelling the calling task throws `fetch(.cancelled)`.
  public func fetchSlideshow() async throws(ServiceError) -> Slideshow { try await list.fetch() }

  /// Sets whether a slide is a favorite. If the slide's state changes, this method posts ``SlideFavoriteChanged`` on
  /// main. Fetching the list again discards the change. Nothing is sent to the service.
  ///
  /// - Parameters:
  ///   - isFavorite: whether the slide is a favorite.
  ///   - id: the slide's identifier. An unknown identifier has no effect.
  public func setFavorite(_ isFavorite: Bool, of id: Slide.ID) {
    let changed = list.change { slideshow -> Slide? in
      guard let index = slideshow.slides.firstIndex(where: { $0.id == id }),
        slideshow.slides[index].isFavorite != isFavorite
      else { return nil }
      slideshow.slides[index].isFavorite = isFavorite
      return slideshow.slides[index]
    }
    guard let changed else { return }
    environment.runtime.main.schedule { [bus = environment.bus] in bus.post(SlideFavoriteChanged(slide: changed)) }
  }

  /// Returns a slide's picture if it is loaded. Fetches nothing.
  public func cachedPicture(of slide: Slide) -> Picture? {
    address(of: slide).flatMap { cache.picture(for: $0, headers: environment.headers(at: $0)) }
  }

  /// Returns the state to draw for a slide: its picture if the picture is loaded, or else the state of the load.
  public func state(of slide: Slide) -> ImageState {
    if let picture = cachedPicture(of: slide) { return .loaded(picture) }
    guard let load = loads.withLock({ $0[slide.id] }) else { return .idle }
    switch load.end {
    case .success(let picture): return .loaded(picture)
    case .failure(let error): return .failed(error)
    case nil: return .fetching(previous: nil)
    }
  }

  /// Fetches a slide's picture, unless the picture is loaded or loading, or the slide has none. ``SlidePictureFetched``
  /// or ``SlidePictureFailed`` reports the result. Call ``releasePicture(of:)`` once no page shows the slide any
  /// longer.
  public func loadPicture(of slide: Slide) {
    guard let address = address(of: slide), cachedPicture(of: slide) == nil else { return }
    let image = IFImage(name: slide.title, url: address, in: environment)
    let isNew = loads.withLock { loads in
      if let load = loads[slide.id], load.end == nil { return false }
      loads[slide.id] = Load(image: image)
      return true
    }
    if isNew { fetch(image, at: address) { [weak self] in self?.end(slide.id, image, $0) } }
  }

  /// Cancels the load of a slide's picture and clears its result. Pictures in the cache are kept.
  public func releasePicture(of slide: Slide) {
    guard let load = loads.withLock({ $0.removeValue(forKey: slide.id) }), load.end == nil else { return }
    load.image.cancel()
  }

  private func end(_ id: Slide.ID, _ image: IFImage, _ result: Result<Picture, FetchError>) {
    let isAwaited = loads.withLock { loads in
      guard loads[id]?.image === image else { return false }
      loads[id]?.end = result
      return true
    }
    guard isAwaited else { return }
    switch result {
    case .success: environment.bus.post(SlidePictureFetched(slideID: id))
    case .failure: environment.bus.post(SlidePictureFailed(slideID: id))
    }
  }

  /// Passes a slide's picture to `completion`, fetching it if it is not cached. Passes nil if the slide has no picture.
  ///
  /// - Parameters:
  ///   - slide: the slide.
  ///   - completion: a closure called once, on main, and never synchronously.
  /// - Returns: a handle, or nil if nothing is fetched. Cancelling has no effect once the picture has arrived, even
  ///   if its delivery is delayed.
  @discardableResult public func fetchPicture(
    of slide: Slide, completion: @escaping @Sendable (Result<Picture?, FetchError>) -> Void
  ) -> IFImage? {
    let cached = cachedPicture(of: slide)
    guard let address = address(of: slide), cached == nil else {
      environment.runtime.main.schedule { completion(.success(cached)) }
      return nil
    }
    let image = IFImage(name: slide.title, url: address, in: environment)
    fetch(image, at: address) { completion($0.map(Optional.some)) }
    return image
  }

  /// Returns a slide's picture, fetching it if it is not cached. Returns nil if the slide has no picture. Cancelling
  /// the calling task throws `cancelled`.
  public func picture(of slide: Slide) async throws(FetchError) -> Picture? {
    try await OneShot.value(cancelled: .failure(.cancelled)) { completion in
      PictureWait(image: fetchPicture(of: slide, completion: completion))
    }.get()
  }

  private func fetch(
    _ image: IFImage, at address: String, _ completion: @escaping @Sendable (Result<Picture, FetchError>) -> Void
  ) {
    image.load { [environment, cache, extraDelay] result in
      guard case .success(let picture) = result else { return completion(result) }
      _ = environment.runtime.main.schedule(after: extraDelay) {
        if environment.cache == nil { cache.store(picture, for: address, headers: environment.headers(at: address)) }
        completion(result)
      }
    }
  }

  private func address(of slide: Slide) -> String? {
    slide.imgFileName.map { PictureLocation(text: $0).address(below: imageBase) }
  }
}

/// Cancels the fetch on behalf of a waiting task.
private struct PictureWait: Cancellation {
  let image: IFImage?

  func cancel() { image?.cancel() }
}
