import EventBus

/// The state of one image, the callers and streams that follow it, and the events to post. Safe to use from any thread.
///
/// Requests and the work that is scheduled on main retain the core, but not the image. If the image is released in
/// flight, the core still posts the final event of the fetch.
final class ImageCore: Sendable {
  typealias Wait = OneShot<Result<Picture, FetchError>>

  /// A state for streams, or their end.
  private struct Notice {
    let streams: [AsyncStream<ImageState>.Continuation]
    /// The state, or nil if the streams end.
    let state: ImageState?

    func send() {
      for stream in streams {
        if let state { stream.yield(state) } else { stream.finish() }
      }
    }
  }

  private enum Posting {
    /// The latest progress, if the fetch of this generation is still in flight.
    case progress(generation: Int)
    case event(@Sendable (EventBus) -> Void)
  }

  private struct Inside {
    var life = ImageLife() {
      didSet {
        guard !streams.isEmpty, !life.state.isSameCase(as: oldValue.state) else { return }
        notices.append(Notice(streams: Array(streams.values), state: life.state))
      }
    }
    /// The streams of states.
    var streams: [Int: AsyncStream<ImageState>.Continuation] = [:]
    var lastStream = 0
    /// What the streams have not received yet, in the order of the state transitions.
    private var notices = RingBuffer<Notice>()
    /// Whether a thread is passing notices to the streams.
    private var isNotifying = false
    var joined: JoinedRequest?
    /// The callers that are waiting for the fetch in flight to end.
    var waits: [Wait] = []
    /// Whether a caller that does not wait asked for the fetch in flight, which then continues without waits.
    var continuesUnwaited = false
    var progress: (received: Int, expected: Int?) = (0, nil)
    /// Events to post, in the order of the state transitions, no matter which thread reaches main first.
    var postings = RingBuffer<Posting>()

    /// Returns the next notice, unless another thread passes it on.
    ///
    /// - Parameter isNext: whether the caller has passed on the notice before.
    mutating func takeNotice(isNext: Bool) -> Notice? {
      guard isNext || !isNotifying else { return nil }
      let notice = notices.popFirst()
      isNotifying = notice != nil
      return notice
    }

    /// Adds a stream, which receives the current state, and returns its number.
    mutating func add(_ stream: AsyncStream<ImageState>.Continuation) -> Int {
      lastStream += 1
      streams[lastStream] = stream
      notices.append(Notice(streams: [stream], state: life.state))
      return lastStream
    }

    /// Ends all streams after the states that they have not received yet.
    mutating func endStreams() {
      notices.append(Notice(streams: Array(streams.values), state: nil))
      streams = [:]
    }

    mutating func post(_ event: some Event) { postings.append(.event { $0.post(event) }) }

    /// Returns whether the caller must schedule a post. If main falls behind the network, newer progress replaces
    /// progress that has not been posted yet.
    mutating func advance(_ received: Int, _ expected: Int?, _ generation: Int) -> Bool {
      guard life.isAwaiting(generation) else { return false }
      progress = (received, expected)
      if case .progress(generation) = postings.last { return false }
      postings.append(.progress(generation: generation))
      return true
    }

    /// Joins the fetch in flight, if there is one. Returns the picture; a caller that waits for a fetch gets nil
    /// instead of the picture that is being reloaded.
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

    /// Removes and returns all waits.
    mutating func takeWaits() -> [Wait] {
      defer { waits = [] }
      return waits
    }
  }

  let id: ImageID
  private let bus: EventBus
  private let main: any Scheduler
  private let requests: SharedRequests
  private let inside = Locked(Inside())

  init(_ id: ImageID, in environment: FetchEnvironment) {
    self.id = id
    bus = environment.bus
    main = environment.runtime.main
    requests = environment.requests
  }

  var state: ImageState { inside.withLock { $0.life.state } }

  /// Joins the fetch in flight, if there is one.
  ///
  /// - Returns: whether the caller must start a fetch, and otherwise the picture, as for ``IFImage/read(for:)``.
  func read(for wait: Wait?) -> (mustStart: Bool, picture: Picture?) {
    inside.withLock { $0.life.mustFetch ? (true, nil) : (false, $0.join(wait)) }
  }

  /// Accepts a picture from the cache, unless the image has one or a fetch is in flight, and returns the picture.
  func accept(_ picture: Picture, for wait: Wait?) -> Picture? {
    change { inside in
      inside.life.accept(picture)
      return inside.join(wait)
    }
  }

  /// Starts a fetch, unless there is one to join or a picture to return.
  ///
  /// - Parameters:
  ///   - wait: a wait that ends when the fetch in flight does.
  ///   - isReload: whether the picture must come from the network.
  ///   - join: a closure that joins a request, which reports to `notify`. Called within the lock.
  func start(
    for wait: Wait?, isReload: Bool, _ join: (_ generation: Int, @escaping SharedRequests.Notify) -> JoinedRequest
  ) -> Picture? {
    let (picture, joined) = change { inside -> (Picture?, JoinedRequest?) in
      guard let generation = isReload ? inside.life.reload() : inside.life.read() else {
        return (inside.join(wait), nil)
      }
      inside.continuesUnwaited = false
      let picture = inside.join(wait)
      let joined = join(generation) { [self] in take($1, ofGeneration: $0) }
      inside.joined = joined
      inside.post(ImageFetchStarted(imageID: id, strategy: joined.strategy))
      return (picture, joined)
    }
    if let joined {
      postSoon()
      requests.start(joined)
    }
    return picture
  }

  /// Processes a report from the request.
  private func take(_ update: FetchUpdate, ofGeneration generation: Int) {
    switch update {
    case .progress(let received, let expected):
      // Without a subscriber or a trace, there is no reason to wake main.
      guard bus.isTraced || bus.subscriberCount(for: ImageFetchProgress.self) > 0 else { return }
      if inside.withLock({ $0.advance(received, expected, generation) }) { postSoon() }
    case .finished(let result):
      main.schedule { self.finish(generation, result) }
    }
  }

  private func finish(_ generation: Int, _ result: Result<Picture, FetchError>) {
    // Post earlier events while the image still reports that it is fetching.
    postEvents()
    let waits = recordEnd(generation, result)
    postEvents()
    guard !waits.isEmpty else { return }
    // Schedule the completions behind the event's deliveries on main, so that each wait ends after the bus has
    // delivered the event.
    main.schedule { for wait in waits { wait.completeAndCancelWork(result) } }
  }

  /// Records the result of the fetch, and returns the waits to complete with that result.
  private func recordEnd(_ generation: Int, _ result: Result<Picture, FetchError>) -> [Wait] {
    let (waits, old) = change { inside -> ([Wait], ImageState) in
      let old = inside.life.state
      let action = inside.life.finish(generation, with: result)
      guard action != .drop, let strategy = inside.joined.take()?.strategy else { return ([], old) }
      switch action {
      case .announceFetched(let picture):
        inside.post(ImageFetched(imageID: id, strategy: strategy, picture: picture))
      case .announceFailed(let error): inside.post(ImageFetchFailed(imageID: id, strategy: strategy, error: error))
      case .announceCancelled: inside.post(ImageFetchCancelled(imageID: id, strategy: strategy))
      case .drop: break
      }
      return (inside.takeWaits(), old)
    }
    // The picture that a reload replaces is released outside the lock.
    withExtendedLifetime(old) {}
    return waits
  }

  /// Cancels the fetch in flight, if there is one.
  func cancel() { endFetch { $0.life.cancel() } }

  /// Releases the picture, and cancels the fetch in flight, if there is one.
  func unload() { endFetch { $0.life.unload() } }

  /// Removes a wait that its caller has cancelled. Cancels the fetch if no other caller wants it.
  func forget(_ wait: Wait) { endFetch { $0.leave(wait) && $0.life.cancel() } }

  /// Cancels the fetch in flight, if there is one, and ends the streams, because the image is released.
  func close() {
    cancel()
    change { $0.endStreams() }
  }

  /// Performs a transition, and then passes the states that it leads to on to the streams.
  ///
  /// The lock is not held when a stream receives a state, because a reader can resume within this call and use the
  /// image. Only one thread at a time passes states on, so all streams report the same order.
  private func change<Value>(_ transition: (inout sending Inside) -> sending Value) -> sending Value {
    let value = inside.withLock(transition)
    var isNext = false
    while let notice = inside.withLock({ $0.takeNotice(isNext: isNext) }) {
      notice.send()
      isNext = true
    }
    return value
  }

  /// Performs a transition that returns whether it ends the fetch in flight.
  private func endFetch(_ transition: (inout Inside) -> Bool) {
    let (ended, old) = change { inside -> ((JoinedRequest, [Wait])?, ImageState) in
      let old = inside.life.state
      guard transition(&inside), let joined = inside.joined.take() else { return (nil, old) }
      inside.post(ImageFetchCancelled(imageID: id, strategy: joined.strategy))
      return ((joined, inside.takeWaits()), old)
    }
    // The picture is released outside the lock.
    withExtendedLifetime(old) {}
    guard let (joined, waits) = ended else { return }
    requests.leave(joined)
    postSoon()
    for wait in waits { wait.cancel() }
  }

  /// Adds a stream, which receives the current state and each further one until ``close()``.
  func add(_ stream: AsyncStream<ImageState>.Continuation) {
    let number = change { $0.add(stream) }
    stream.onTermination = { [weak self] _ in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    withExtendedLifetime(inside.withLock { $0.streams.removeValue(forKey: number) }) {}
  }

  private func postSoon() { main.schedule { self.postEvents() } }

  /// Posts the queued events on main.
  private func postEvents() { while let post = takePosting() { post(bus) } }

  /// Returns the next event that is not outdated. Call this method on main only.
  private func takePosting() -> (@Sendable (EventBus) -> Void)? {
    precondition(main.isCurrent, "Internal inconsistency: an image event was taken outside main")
    return inside.withLock { inside in
      while let posting = inside.postings.popFirst() {
        switch posting {
        case .event(let post):
          return post
        case .progress(let generation):
          guard inside.life.isAwaiting(generation) else { continue }
          let event = ImageFetchProgress(
            imageID: id, received: inside.progress.received, expected: inside.progress.expected)
          return { $0.post(event) }
        }
      }
      return nil
    }
  }
}
