public import EventBus
import Foundation

/// The slides of a web service, and their pictures on demand. Any thread; results arrive on main.
///
/// The list does not count for ``FetchLimits/maximumInFlight`` and is not tried again; the pictures are images like any other.
public final class SlideManager: Sendable {
  /// Pictures by address: the environment's cache or, where that has none, one for ten pictures.
  public let cache: ImageCache
  private let environment: FetchEnvironment
  /// The list: its state, and the key of its events.
  public let list: ServiceResource<Slideshow, FetchError>
  private let imageBase: URL
  private let extraDelay: Duration
  /// The pictures that a page asked for and has not released.
  private let loads = Locked<[Slide.ID: Load]>([:])

  private struct Load {
    let image: IFImage
    var end: Result<Picture, FetchError>?
  }

  /// - Parameters:
  ///   - configuration: has the address of the list as `SlideWebServiceUrl`, that of the pictures as `ImageBaseUrl`.
  ///   - environment: how the list and the pictures are fetched.
  ///   - extraDelay: how long each picture that was fetched is held back, to show what a slow network looks like. A cache of
  ///     the environment has it before.
  /// - Throws: `missingConfiguration` or `invalidURL`.
  public init(
    _ configuration: ServiceConfiguration, in environment: FetchEnvironment,
    extraDelay: Duration = .zero
  ) throws(FetchError) {
    let address = try configuration.url("SlideWebServiceUrl").absoluteString
    list = ServiceResource("slideshow", .get(address), in: environment) { answer in
      answer.flatMap { body in Result { () throws(FetchError) in try Slideshow(data: body.bytes) } }
    }
    imageBase = try configuration.url("ImageBaseUrl")
    self.environment = environment
    cache = environment.cache ?? ImageCache(countLimit: 10)
    self.extraDelay = extraDelay
  }

  /// What was fetched last; nil before that.
  public var slideshow: Slideshow? { list.value }

  /// Fetches the list, instead of what was there, posts ``ServiceChanged`` and calls `completion` once, on main.
  ///
  /// - Returns: a handle; cancelling it ends with `cancelled`, dropping it changes nothing.
  @discardableResult public func fetchSlideshow(
    completion: @escaping @Sendable (Result<Slideshow, FetchError>) -> Void
  ) -> any Cancellation {
    list.fetch(completion: completion)
  }

  /// Fetches the list, instead of what was there. Cancelling the calling task ends it with `cancelled`.
  public func fetchSlideshow() async throws(FetchError) -> Slideshow { try await list.fetch() }

  /// Marks a slide as a favourite, or not, and posts ``SlideFavoriteChanged`` on main if that is a change. It lasts until the
  /// next list arrives. Nothing is sent to the service.
  ///
  /// - Parameters:
  ///   - isFavorite: whether somebody likes it.
  ///   - id: the slide; nothing happens where there is none of that identifier.
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

  /// The picture of a slide if it is at hand; nothing is fetched.
  public func cachedPicture(of slide: Slide) -> Picture? {
    address(of: slide).flatMap(cache.picture(for:))
  }

  /// What a page can draw of a slide: its picture where that is at hand, and else how ``loadPicture(of:)`` goes.
  public func state(of slide: Slide) -> ImageState {
    if let picture = cachedPicture(of: slide) { return .loaded(picture) }
    guard let load = loads.withLock({ $0[slide.id] }) else { return .idle }
    switch load.end {
    case .success(let picture): return .loaded(picture)
    case .failure(let error): return .failed(error)
    case nil: return .fetching
    }
  }

  /// Fetches the picture of a slide, unless it is at hand, on its way, or the slide has none. The end is an event:
  /// ``SlidePictureFetched`` or ``SlidePictureFailed``. Call ``releasePicture(of:)`` when the slide is no longer shown.
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

  /// Cancels the load of a slide's picture, and forgets how it ended. The cache keeps its pictures.
  public func releasePicture(of slide: Slide) {
    guard let load = loads.withLock({ $0.removeValue(forKey: slide.id) }), load.end == nil else { return }
    load.image.cancel()
    // A released image posts nothing more, and others want to hear of the cancel.
    environment.runtime.main.schedule { withExtendedLifetime(load.image) {} }
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

  /// Hands over the picture of a slide, fetched unless it is in the cache; nil for a slide without one.
  ///
  /// - Parameters:
  ///   - slide: the slide that has the name of the picture.
  ///   - completion: called once, on main, never inside this call.
  /// - Returns: the fetch, nil when there is none. A picture that has arrived and is held back can no longer be cancelled.
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

  /// The picture of a slide, fetched unless it is in the cache; nil for a slide without one. Cancelling the calling task ends it with
  /// `cancelled`.
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
        if environment.cache == nil { cache.store(picture, for: address) }
        completion(result)
      }
    }
  }

  private func address(of slide: Slide) -> String? {
    slide.imgFileName.map { PictureLocation(text: $0).address(below: imageBase) }
  }
}

/// Cancels the fetch of a task that waits for a picture.
private struct PictureWait: Cancellation {
  let image: IFImage?

  func cancel() { image?.cancel() }
}
