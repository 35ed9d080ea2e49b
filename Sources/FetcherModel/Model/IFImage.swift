public import EventBus
public import Foundation

/// A remote picture, which ``startLoading()`` or ``load()`` fetches.
///
/// Safe to use from any thread. Each fetch posts `ImageFetchStarted`, followed by exactly one of `ImageFetched`,
/// `ImageFetchFailed` or `ImageFetchCancelled`. Releasing the image cancels its fetch, as ``cancel()`` does. All of
/// these events are posted on main and keyed by ``id``.
public final class IFImage: Sendable {
  /// The key for this image's events.
  public var id: ImageID { core.id }
  /// The picture's human-readable name.
  public var name: String { id.name }
  /// The picture's address. The address need not be a valid URL, but fetching from an invalid one fails with
  /// `invalidURL`.
  public let url: String
  let environment: FetchEnvironment
  let core: ImageCore
  /// The bus to which this image posts its events.
  public var bus: EventBus { environment.bus }
  private let headers: HTTPHeaders
  private let limits: FetchLimits?
  /// Called with the response head of each request that this image starts.
  private let responded: (@Sendable (NetworkResponse) -> Void)?

  /// Creates an image without fetching it. Accesses neither the network nor the cache.
  ///
  /// - Parameters:
  ///   - name: the picture's human-readable name, which appears in events and messages.
  ///   - url: the full address. Images share a request if their addresses have the same bytes, and their header fields
  ///     and limits are equal.
  ///   - headers: the header fields of this image's requests, which replace those of the environment with the same
  ///     name.
  ///   - limits: the limits of this image's fetches, or nil for those of the environment.
  ///   - environment: the dependencies for fetching.
  public convenience init(
    name: String, url: String, headers: HTTPHeaders = [:], limits: FetchLimits? = nil, in environment: FetchEnvironment
  ) {
    self.init(name: name, url: url, headers: headers, limits: limits, in: environment, responded: nil)
  }

  /// Creates an image without fetching it. Its address is the absolute string of a `URL`.
  public convenience init(
    name: String, url: URL, headers: HTTPHeaders = [:], limits: FetchLimits? = nil, in environment: FetchEnvironment
  ) {
    self.init(name: name, url: url.absoluteString, headers: headers, limits: limits, in: environment)
  }

  /// - Parameter responded: a closure called on any thread with the response head, if the strategy reports it.
  package init(
    name: String, url: String, headers: HTTPHeaders = [:], limits: FetchLimits? = nil, in environment: FetchEnvironment,
    responded: (@Sendable (NetworkResponse) -> Void)?
  ) {
    core = ImageCore(ImageID(name: name), in: environment)
    self.url = url
    self.headers = headers
    self.limits = limits
    self.environment = environment
    self.responded = responded
  }

  deinit { core.close() }

  /// The picture, or the placeholder until there is one, as in the tutorials: reading this property also calls
  /// ``startLoading()``. Never blocks. To read the picture without a fetch, use ``picture``.
  public var image: Picture { read() ?? .placeholder }

  /// The picture to show: the loaded one, or the one that a reload may replace or failed to replace. Nil if there is
  /// none. Reading this property never starts a fetch and never blocks.
  public var picture: Picture? { state.picture }

  /// Starts to load the picture, and returns immediately. If the picture is loaded or a fetch is in flight, no other
  /// fetch starts. After a failure or a cancellation without a picture, a new one does. To wait for the picture, use
  /// ``load()``.
  ///
  /// If the cache has the picture, the image is loaded when this method returns, and posts no event, so draw the
  /// result. ``states`` reports the change, too. Otherwise, ``ImageFetched``, ``ImageFetchFailed`` or
  /// ``ImageFetchCancelled`` reports the end of the fetch.
  ///
  /// - Returns: the picture, if it is loaded or cached, or the one that is being reloaded.
  @discardableResult public func startLoading() -> Picture? { read() }

  /// Fetches the picture again, even if it is loaded or cached. A fetch that is in flight is joined.
  ///
  /// Until the new picture arrives, ``picture`` is the old one. If the fetch fails, the state is
  /// ``ImageState/failed(_:previous:)`` with the old picture, which the image keeps, also after a cancellation. The new
  /// picture also replaces the cached one, but not the picture of other images that have loaded this address.
  public func startReloading() { start(for: nil, isReload: true) }

  /// Returns the picture if it is loaded. Otherwise a fetch is in flight when this call returns, and `wait` ends when
  /// the fetch does.
  @discardableResult func read(for wait: ImageCore.Wait? = nil) -> Picture? {
    let (mustStart, picture) = core.read(for: wait)
    return mustStart ? start(for: wait) : picture
  }

  private var request: PictureRequest { PictureRequest(picture: key, limits: limits ?? environment.limits) }

  /// Starts a fetch, unless there is one to join or a picture to return.
  ///
  /// - Parameters:
  ///   - wait: a wait that ends when the fetch in flight does.
  ///   - isReload: whether the picture must come from the network.
  @discardableResult func start(for wait: ImageCore.Wait?, isReload: Bool = false) -> Picture? {
    let (requests, strategy, request) = (environment.requests, environment.strategy, request)
    let name = strategy.name
    if !isReload, let cached = requests.cached(request, strategy, named: name) { return core.accept(cached, for: wait) }
    return core.start(for: wait, isReload: isReload) { [responded] generation, notify in
      requests.join(
        request, strategy, named: name, ignoresCache: isReload, responded, for: generation, notify)
    }
  }

  /// The identity of the picture, with the header fields that its next request sends.
  var key: PictureKey { PictureKey(url, environment.headers(at: url).overridden(by: headers)) }

  /// Whether a fetch is in flight, from the read that starts it until just before its final event.
  public var isFetching: Bool { state.isFetching }

  /// The current state. Reading this property never starts a fetch, so views should render it.
  public var state: ImageState { core.state }

  /// Cancels this image's fetch, and stops the work of the request if no other image is waiting for it. Without a fetch
  /// in flight, this method has no effect.
  public func cancel() { core.cancel() }

  /// Releases the picture, for example after a memory warning. The state is then ``ImageState/idle``, and the next
  /// load takes the picture from the cache or fetches it again. A picture in the cache stays there:
  /// ``ImageCache/removeAll()`` releases it.
  ///
  /// A fetch in flight ends as ``cancel()`` ends it. Without a fetch in flight, the image posts no event; ``states``
  /// reports the change.
  public func unload() { core.unload() }
}
