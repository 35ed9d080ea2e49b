public import EventBus
import Foundation

/// The slides of a web service, and their pictures on demand. Any thread; results arrive on main.
///
/// The list does not count for ``FetchLimits/maximumInFlight`` and is not tried again; the pictures are images like any other.
public final class SlideManager: Sendable {
  /// Pictures by address: the environment's cache or, where that has none, one for ten pictures.
  public let cache: ImageCache
  private let environment: FetchEnvironment
  private let listAddress: String
  private let imageBase: URL
  private let extraDelay: Duration
  private let state = Locked(State())

  private struct State {
    var slideshow: Slideshow?
    /// How many lists were asked for, and which of them is shown.
    var asked = 0
    var shown = 0
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
    listAddress = try configuration.url("SlideWebServiceUrl").absoluteString
    imageBase = try configuration.url("ImageBaseUrl")
    self.environment = environment
    cache = environment.cache ?? ImageCache(countLimit: 10)
    self.extraDelay = extraDelay
  }

  /// What was fetched last; nil before that.
  public var slideshow: Slideshow? { state.withLock { $0.slideshow } }

  /// Fetches the list, instead of what was there, posts ``SlideshowChanged`` and calls `completion` once, on main.
  ///
  /// A list that arrives after one that was asked for later is handed over, and neither kept nor posted.
  ///
  /// - Returns: a handle; cancelling it ends with `cancelled`, dropping it changes nothing.
  @discardableResult public func fetchSlideshow(
    completion: @escaping @Sendable (Result<Slideshow, FetchError>) -> Void
  ) -> any Cancellation {
    let exchange = exchange
    exchange.start(.get(listAddress), completion)
    return exchange
  }

  /// Fetches the list, instead of what was there. Cancelling the calling task ends it with `cancelled`.
  public func fetchSlideshow() async throws(FetchError) -> Slideshow {
    try await exchange.answer(to: .get(listAddress))
  }

  /// Marks a slide as a favourite, or not, and posts ``SlideFavoriteChanged`` on main if that is a change. It lasts until the
  /// next list arrives. Nothing is sent to the service.
  ///
  /// - Parameters:
  ///   - isFavorite: whether somebody likes it.
  ///   - id: the slide; nothing happens where there is none of that identifier.
  public func setFavorite(_ isFavorite: Bool, of id: Slide.ID) {
    let changed = state.withLock { state -> Slide? in
      guard let index = state.slideshow?.slides.firstIndex(where: { $0.id == id }),
        state.slideshow?.slides[index].isFavorite != isFavorite
      else { return nil }
      state.slideshow?.slides[index].isFavorite = isFavorite
      return state.slideshow?.slides[index]
    }
    guard let changed else { return }
    environment.runtime.main.schedule { [bus = environment.bus] in bus.post(SlideFavoriteChanged(slide: changed)) }
  }

  /// The picture of a slide if it is at hand; nothing is fetched.
  public func cachedPicture(of slide: Slide) -> Picture? {
    address(of: slide).flatMap(cache.picture(for:))
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
    let main = environment.runtime.main
    let cached = cachedPicture(of: slide)
    guard let address = address(of: slide), cached == nil else {
      main.schedule { completion(.success(cached)) }
      return nil
    }
    let image = IFImage(name: slide.title, url: address, in: environment)
    image.load { [environment, cache, extraDelay] result in
      guard case .success(let picture) = result else { return completion(result.map(Optional.some)) }
      _ = main.schedule(after: extraDelay) {
        if environment.cache == nil { cache.store(picture, for: address) }
        completion(.success(picture))
      }
    }
    return image
  }

  private func address(of slide: Slide) -> String? {
    slide.imgFileName.map { PictureLocation(text: $0).address(below: imageBase) }
  }

  private var exchange: ServiceExchange<Slideshow, FetchError> {
    let number = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    return ServiceExchange(in: environment) { answer in
      answer.flatMap { body in Result { () throws(FetchError) in try Slideshow(data: body.bytes) } }
    } arrived: { [weak self] slideshow in
      guard let self else { return }
      let isNews = state.withLock { state in
        guard number > state.shown else { return false }
        state.shown = number
        state.slideshow = slideshow
        return true
      }
      if isNews { environment.bus.post(SlideshowChanged(slideshow: slideshow)) }
    }
  }
}
