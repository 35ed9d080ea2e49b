public import EventBus
public import Foundation

/// A remote picture, which ``startLoading()`` or ``load()`` fetches.
///
/// Safe to use from any thread. Each fetch posts `ImageFetchStarted`, followed by exactly one of `ImageFetched`,
/// `ImageFetchFailed` or `ImageFetchCancelled`, unless the image is released first: a released image leaves its request and
/// posts no further events. All of these events are posted on main and keyed by ``id``.
public final class IFImage: Sendable {
  typealias Wait = OneShot<Result<Picture, FetchError>>

  private enum Posting {
    /// The latest progress, if the fetch of this generation is still in flight.
    case progress(generation: Int)
    case event(@Sendable (EventBus) -> Void)
  }

  private struct Inside {
    var life = ImageLife() {
      didSet {
        guard !life.state.isSameCase(as: oldValue.state) else { return }
        for observer in observers.values { observer.yield(life.state) }
      }
    }
    /// The streams of states. They receive each state within the lock, so that all of them report the same order.
    var observers: [Int: AsyncStream<ImageState>.Continuation] = [:]
    var lastObserver = 0
    var joined: JoinedRequest?
    /// The callers that are waiting for the fetch in flight to end.
    var waits: [Wait] = []
    /// Whether a caller that does not wait asked for the fetch in flight, which then continues without waits.
    var continuesUnwaited = false
    var progress: (received: Int, expected: Int?) = (0, nil)
    /// Events to post, in the order of the state transitions, no matter which thread reaches main first.
    var postings = RingBuffer<Posting>()

    /// Returns whether the caller must schedule a post. If main falls behind the network, newer progress replaces
    /// progress that has not been posted yet.
    mutating func advance(_ received: Int, _ expected: Int?, _ generation: Int) -> Bool {
      guard life.isAwaiting(generation) else { return false }
      progress = (received, expected)
      if case .progress(generation) = postings.last { return false }
      postings.append(.progress(generation: generation))
      return true
    }

    /// Joins the fetch in flight, if there is one. Returns the picture; a caller that waits for a fetch gets nil instead of
    /// the picture that is being reloaded.
    mutating func join(_ wait: Wait?) -> Picture? {
      guard life.state.isFetching else { return life.state.picture }
      guard let wait else {
        continuesUnwaited = true
        return life.state.picture
      }
      waits.append(wait)
      return nil
    }

    /// Removes the wait of a caller that has cancelled it. Returns whether the fetch in flight is no longer wanted.
    mutating func leave(_ wait: Wait) -> Bool {
      guard let index = waits.firstIndex(where: { $0 === wait }) else { return false }
      waits.remove(at: index)
      return waits.isEmpty && !continuesUnwaited
    }

    /// Adds a stream, which begins with the current state, and returns its number.
    mutating func add(_ observer: AsyncStream<ImageState>.Continuation) -> Int {
      lastObserver += 1
      observers[lastObserver] = observer
      observer.yield(life.state)
      return lastObserver
    }

    /// Removes and returns all waits.
    mutating func takeWaits() -> [Wait] {
      defer { waits = [] }
      return waits
    }
  }

  /// The key for this image's events.
  public let id: ImageID
  /// The picture's human-readable name.
  public let name: String
  /// The picture's address. The address need not be a valid URL, but fetching from an invalid one fails with
  /// `invalidURL`.
  public let url: String
  let environment: FetchEnvironment
  /// The bus to which this image posts its events.
  public var bus: EventBus { environment.bus }
  private let headers: HTTPHeaders
  /// Called with the response head of each request that this image starts.
  private let responded: (@Sendable (NetworkResponse) -> Void)?
  private let inside = Locked(Inside())

  /// Creates an image without fetching it. Accesses neither the network nor the cache.
  ///
  /// - Parameters:
  ///   - name: the picture's human-readable name, which appears in events and messages.
  ///   - url: the full address. Images share a request if their addresses have the same bytes and their header fields
  ///     are equal.
  ///   - headers: the header fields of this image's requests, which replace those of the environment with the same name.
  ///   - environment: the dependencies for fetching.
  public convenience init(
    name: String, url: String, headers: HTTPHeaders = [:], in environment: FetchEnvironment
  ) {
    self.init(name: name, url: url, headers: headers, in: environment, responded: nil)
  }

  /// Creates an image without fetching it. Its address is the absolute string of a `URL`.
  public convenience init(name: String, url: URL, headers: HTTPHeaders = [:], in environment: FetchEnvironment) {
    self.init(name: name, url: url.absoluteString, headers: headers, in: environment)
  }

  /// - Parameter responded: a closure called on any thread with the response head, if the strategy reports it.
  package init(
    name: String, url: String, headers: HTTPHeaders = [:], in environment: FetchEnvironment,
    responded: (@Sendable (NetworkResponse) -> Void)?
  ) {
    id = ImageID(name: name)
    self.name = name
    self.url = url
    self.headers = headers
    self.environment = environment
    self.responded = responded
  }

  deinit {
    if let joined = inside.withLock({ $0.joined }) { environment.requests.leave(joined) }
  }

  /// The picture, or the placeholder until there is one, as in the tutorials: reading this property also calls
  /// ``startLoading()``. Never blocks. To read the picture without a fetch, use ``picture``.
  public var image: Picture { read() ?? .placeholder }

  /// The loaded picture or the one that is being reloaded, or nil if there is none. Reading this property never starts a
  /// fetch and never blocks.
  public var picture: Picture? { state.picture }

  /// Starts to load the picture, and returns immediately. If the picture is loaded or a fetch is in flight, no other fetch
  /// starts. After a failure or a cancellation, a new one does. To wait for the picture, use ``load()``.
  ///
  /// If the cache has the picture, the image is loaded when this method returns, and posts no event, so draw the result.
  /// ``states`` reports the change, too. Otherwise, ``ImageFetched``, ``ImageFetchFailed`` or
  /// ``ImageFetchCancelled`` reports the end of the fetch.
  ///
  /// - Returns: the picture, if it is loaded or cached, or the one that is being reloaded.
  @discardableResult public func startLoading() -> Picture? { read() }

  /// Fetches the picture again, even if it is loaded or cached. A fetch that is in flight is joined.
  ///
  /// Until the new picture arrives, ``picture`` is the old one. If the fetch fails or is cancelled, the image keeps the old
  /// picture, and the event reports the failure. The new picture also replaces the cached one, but not the picture of
  /// other images that have loaded this address.
  public func startReloading() { start(for: nil, isReload: true) }

  /// Returns the picture if it is loaded. Otherwise a fetch is in flight when this call returns, and `wait` ends when
  /// the fetch does.
  @discardableResult func read(for wait: Wait? = nil) -> Picture? {
    let (mustStart, picture) = inside.withLock { inside -> (Bool, Picture?) in
      switch inside.life.state {
      case .idle, .failed: (true, nil)
      case .fetching, .loaded: (false, inside.join(wait))
      }
    }
    return mustStart ? start(for: wait) : picture
  }

  private var request: PictureRequest { PictureRequest(url, common: environment.headers(at: url), own: headers) }

  /// Starts a fetch, unless there is one to join or a picture to return.
  ///
  /// - Parameters:
  ///   - wait: a wait that ends when the fetch in flight does.
  ///   - isReload: whether the picture must come from the network.
  @discardableResult func start(for wait: Wait?, isReload: Bool = false) -> Picture? {
    let strategy = environment.strategy
    let strategyName = strategy.name
    let request = request
    if !isReload, let cached = environment.requests.cached(request, strategy, named: strategyName) {
      return inside.withLock { inside in
        inside.life.accept(cached)
        return inside.join(wait)
      }
    }
    let notify = listener()
    let (picture, joined) = inside.withLock { inside -> (Picture?, JoinedRequest?) in
      guard let generation = isReload ? inside.life.reload() : inside.life.read() else {
        return (inside.join(wait), nil)
      }
      inside.continuesUnwaited = false
      let picture = inside.join(wait)
      let joined = environment.requests.join(
        request, strategy, named: strategyName, ignoresCache: isReload, responded, for: generation, notify)
      inside.joined = joined
      let event = ImageFetchStarted(imageID: id, name: name, strategy: joined.strategy)
      inside.postings.append(.event { $0.post(event) })
      return (picture, joined)
    }
    if let joined {
      postSoon()
      environment.requests.start(joined)
    }
    return picture
  }

  /// Returns the closure that a request calls to report progress and its result. The closure does not retain the image,
  /// because a released image posts no further events.
  private func listener() -> SharedRequests.Notify {
    {
      [
        reference, inside = self.inside, main = environment.runtime.main, bus = environment.bus
      ] generation, update in
      switch update {
      case .progress(let received, let expected):
        // Without a subscriber or a trace, there is no reason to wake main.
        guard bus.isTraced || bus.subscriberCount(for: ImageFetchProgress.self) > 0 else { return }
        guard inside.withLock({ $0.advance(received, expected, generation) }) else { return }
        main.schedule { reference.postEvents() }
      case .finished(let result):
        main.schedule { reference.finish(generation, result, main) }
      }
    }
  }

  /// Removes a wait that its caller has cancelled. Cancels the fetch if no other caller wants it.
  func forget(_ wait: Wait) { endFetch { $0.leave(wait) && $0.life.cancel() } }

  /// The key of the picture in a cache.
  var key: PictureKey { request.key(ignoresHeaders: environment.requests.ignoresHeaders) }

  /// Registers a stream that receives the current state and each further one, and returns a closure that removes it.
  func observe(_ observer: AsyncStream<ImageState>.Continuation) -> @Sendable () -> Void {
    let number = inside.withLock { $0.add(observer) }
    return { withExtendedLifetime(self.inside.withLock { $0.observers.removeValue(forKey: number) }) {} }
  }

  /// Whether a fetch is in flight, from the read that starts it until just before its final event.
  public var isFetching: Bool { state.isFetching }

  /// The current state. Reading this property never starts a fetch, so views should render it.
  public var state: ImageState { inside.withLock { $0.life.state } }

  /// Cancels this image's fetch, and stops the work of the request if no other image is waiting for it. Without a fetch
  /// in flight, this method has no effect.
  public func cancel() { endFetch { $0.life.cancel() } }

  /// Releases the picture, for example after a memory warning. The state is then ``ImageState/idle``, and the next
  /// load takes the picture from the cache or fetches it again. A picture in the cache stays there:
  /// ``ImageCache/removeAll()`` releases it.
  ///
  /// A fetch in flight ends as ``cancel()`` ends it. Without a fetch in flight, the image posts no event; ``states``
  /// reports the change.
  public func unload() { endFetch { $0.life.unload() } }

  /// Performs a transition that returns whether it ends the fetch in flight.
  private func endFetch(_ transition: (inout Inside) -> Bool) {
    let (ended, old) = inside.withLock { inside -> ((JoinedRequest, [Wait])?, ImageState) in
      let old = inside.life.state
      guard transition(&inside), let joined = inside.joined.take() else { return (nil, old) }
      inside.postings.append(cancelled(joined.strategy))
      return ((joined, inside.takeWaits()), old)
    }
    // The picture is released outside the lock.
    withExtendedLifetime(old) {}
    guard let (joined, waits) = ended else { return }
    environment.requests.leave(joined)
    postSoon()
    for wait in waits { wait.cancel() }
  }

  private var reference: Reference { Reference(image: self) }

  /// A reference for work that is scheduled on main. It does not retain the image, because a subscriber may release the
  /// image between two events.
  private struct Reference: Sendable {
    weak let image: IFImage?

    func finish(_ generation: Int, _ result: Result<Picture, FetchError>, _ main: any Scheduler) {
      // Post earlier events while the image still reports that it is fetching.
      postEvents()
      let waits = image?.finish(generation, result) ?? []
      postEvents()
      guard !waits.isEmpty else { return }
      // Schedule the completions behind the event's deliveries on main, so that each wait ends after the bus has
      // delivered the event.
      main.schedule { for wait in waits { wait.completeAndCancelWork(result) } }
    }

    /// Posts the queued events on main. Retains the image only while removing each event from the queue.
    func postEvents() {
      while let (post, bus) = image?.takePosting() { post(bus) }
    }
  }

  /// Records the result of the fetch, and returns the waits to complete with that result.
  private func finish(_ generation: Int, _ result: Result<Picture, FetchError>) -> [Wait] {
    inside.withLock { inside in
      let action = inside.life.finish(generation, with: result)
      guard action != .drop, let strategy = inside.joined.take()?.strategy else { return [] }
      switch action {
      case .announceFetched(let picture):
        let event = ImageFetched(imageID: id, name: name, strategy: strategy, picture: picture)
        inside.postings.append(.event { $0.post(event) })
      case .announceFailed(let error):
        let event = ImageFetchFailed(imageID: id, name: name, strategy: strategy, error: error)
        inside.postings.append(.event { $0.post(event) })
      case .announceCancelled:
        inside.postings.append(cancelled(strategy))
      case .drop:
        break
      }
      return inside.takeWaits()
    }
  }

  private func cancelled(_ strategy: StrategyName) -> Posting {
    let event = ImageFetchCancelled(imageID: id, name: name, strategy: strategy)
    return .event { $0.post(event) }
  }

  private func postSoon() {
    environment.runtime.main.schedule { [reference] in reference.postEvents() }
  }

  /// Returns the next event that is not outdated. Call this method on main only.
  private func takePosting() -> (@Sendable (EventBus) -> Void, EventBus)? {
    precondition(environment.runtime.main.isCurrent, "Internal inconsistency: an image event was taken outside main")
    return inside.withLock { inside in
      while let posting = inside.postings.popFirst() {
        switch posting {
        case .event(let post):
          return (post, environment.bus)
        case .progress(let generation):
          guard inside.life.isAwaiting(generation) else { continue }
          let event = ImageFetchProgress(
            imageID: id, name: name, received: inside.progress.received, expected: inside.progress.expected)
          return ({ $0.post(event) }, environment.bus)
        }
      }
      return nil
    }
  }
}
