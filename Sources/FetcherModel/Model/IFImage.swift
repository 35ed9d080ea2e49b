import EventBus

/// A picture somewhere else, fetched when it is first read.
///
/// Any thread may use it. Each fetch posts `ImageFetchStarted` and then exactly one of `ImageFetched`,
/// `ImageFetchFailed`, `ImageFetchCancelled`, all on main and keyed by ``id``. A released image posts nothing more and
/// withdraws its interest.
public final class IFImage: Sendable {
  private enum Posting {
    case started(strategy: String)
    case progress(received: Int, expected: Int?, generation: Int)
    case fetched(strategy: String, byteCount: Int)
    case failed(strategy: String, FetchError)
    case cancelled(strategy: String)
  }

  private struct Inside {
    var life = ImageLife()
    var ticket: FetchTicket?
    /// Events in the order of the transitions that made them, whichever thread gets to main first.
    var postings: [Posting] = []
  }

  /// The key of this image's events.
  public let id = ImageID()
  /// What people call the picture.
  public let name: String
  /// Where the picture is. It need not be a URL: reading the image then fails with `invalidURL`.
  public let url: String
  let environment: FetchEnvironment
  private let inside = Locked(Inside())

  /// An image that has not been fetched. Touches neither the network nor the cache.
  ///
  /// - Parameters:
  ///   - name: what people call the picture; it appears in events and messages.
  ///   - url: the whole address. Images share a request when their addresses are the same bytes.
  ///   - environment: how it is fetched.
  public init(_ name: String, _ url: String, in environment: FetchEnvironment) {
    self.name = name
    self.url = url
    self.environment = environment
  }

  deinit {
    if let ticket = inside.withLock({ $0.ticket }) { environment.requests.leave(ticket) }
  }

  /// The picture, or the placeholder while there is none. Never blocks.
  ///
  /// Reading starts a fetch unless the picture is here or a fetch is under way, also after a failure or a cancel.
  public var image: Picture {
    if case .loaded(let picture) = state { return picture }
    let cached = environment.cache?.picture(for: url)
    let strategy = environment.strategy
    let strategyName = strategy.name
    let (action, ticket) = inside.withLock { inside -> (ImageLife.ReadAction, FetchTicket?) in
      if let cached, inside.life.adopt(cached) { return (.show(cached), nil) }
      let action = inside.life.read()
      guard case .startFetch(let generation) = action else { return (action, nil) }
      let ticket = environment.requests.join(url, strategy, named: strategyName) { [weak self] in
        self?.receive($0, generation)
      }
      inside.ticket = ticket
      inside.postings.append(.started(strategy: ticket.strategy))
      return (action, ticket)
    }
    switch action {
    case .show(let picture):
      return picture
    case .startFetch:
      postSoon()
      if let ticket { environment.requests.start(ticket) }
      return .placeholder
    case .showPlaceholder:
      return .placeholder
    }
  }

  /// Whether a fetch is under way: from the read that starts it to just before its terminal event.
  public var isFetching: Bool { state == .fetching }

  /// What the image has now. Never starts a fetch: draw from this.
  public var state: ImageState { inside.withLock { $0.life.state } }

  /// Withdraws the interest in a fetch under way, and stops its work if nobody else waits for it. Otherwise nothing.
  public func cancel() {
    let ticket = inside.withLock { inside -> FetchTicket? in
      guard case .withdraw = inside.life.cancel(), let ticket = inside.ticket else { return nil }
      inside.ticket = nil
      inside.postings.append(.cancelled(strategy: ticket.strategy))
      return ticket
    }
    guard let ticket else { return }
    environment.requests.leave(ticket)
    postSoon()
  }

  private func receive(_ notice: FetchNotice, _ generation: Int) {
    switch notice {
    case .progress(let received, let expected):
      advance(received, expected, generation)
    case .finished(let result):
      environment.runtime.main.schedule { [weak self] in self?.finish(generation, result) }
    }
  }

  private func advance(_ received: Int, _ expected: Int?, _ generation: Int) {
    let isNews = inside.withLock { inside in
      guard inside.life.isAwaiting(generation) else { return false }
      let posting = Posting.progress(received: received, expected: expected, generation: generation)
      // Main may be slower than the network: what it has not told yet is overtaken, not queued.
      if case .progress(_, _, generation) = inside.postings.last {
        inside.postings[inside.postings.count - 1] = posting
        return false
      }
      inside.postings.append(posting)
      return true
    }
    if isNews { postSoon() }
  }

  private func finish(_ generation: Int, _ result: Result<Picture, FetchError>) {
    // What came before is told while the image still says that it is fetching.
    post()
    inside.withLock { inside in
      let action = inside.life.finish(generation, with: result)
      guard action != .drop, let strategy = inside.ticket?.strategy else { return }
      inside.ticket = nil
      switch action {
      case .announceFetched(let picture):
        inside.postings.append(.fetched(strategy: strategy, byteCount: picture.bytes.count))
      case .announceFailed(let error):
        inside.postings.append(.failed(strategy: strategy, error))
      case .drop:
        break
      }
    }
    post()
  }

  private func postSoon() {
    environment.runtime.main.schedule { [weak self] in self?.post() }
  }

  /// Posts what is waiting. On main only.
  private func post() {
    precondition(environment.runtime.main.isCurrent, "Internal inconsistency: an event of an image away from main")
    while let posting = takePosting() {
      let bus = environment.bus
      switch posting {
      case .started(let strategy):
        bus.post(ImageFetchStarted(imageID: id, name: name, strategy: strategy))
      case .progress(let received, let expected, let generation):
        guard inside.withLock({ $0.life.isAwaiting(generation) }) else { continue }
        bus.post(ImageFetchProgress(imageID: id, name: name, received: received, expected: expected))
      case .fetched(let strategy, let byteCount):
        bus.post(ImageFetched(imageID: id, name: name, strategy: strategy, byteCount: byteCount))
      case .failed(let strategy, let error):
        bus.post(ImageFetchFailed(imageID: id, name: name, strategy: strategy, error: error))
      case .cancelled(let strategy):
        bus.post(ImageFetchCancelled(imageID: id, name: name, strategy: strategy))
      }
    }
  }

  private func takePosting() -> Posting? {
    inside.withLock { $0.postings.isEmpty ? nil : $0.postings.removeFirst() }
  }
}
