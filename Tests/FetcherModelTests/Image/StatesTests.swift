import EventBus
import FetcherModel
import ModelFixtures
import Testing

/// The stream of an image's states.
@Suite(.timeLimit(.minutes(2))) struct StatesTests {
  private let strategy = HeldStrategy()
  private let environment: FetchEnvironment
  private let image: IFImage

  init() {
    environment = .held(strategy)
    image = IFImage(name: "a", url: "https://example.org/a", in: environment)
  }

  @Test("The stream yields the current state and then each change, without starting a fetch")
  func changes() async {
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .idle)
    #expect(strategy.requests.isEmpty)
    image.startLoading()
    #expect(await states.next() == .fetching(previous: nil))
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    #expect(await states.next() == .failed(.badStatus(404)))
    image.startLoading()
    #expect(await states.next() == .fetching(previous: nil))
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(await states.next()?.picture?.format == .png)
    image.startReloading()
    #expect(await states.next() == .fetching(previous: image.image))
    image.cancel()
    #expect(await states.next() == .loaded(image.image))
    image.unload()
    #expect(await states.next() == .idle)
    image.startLoading()
    image.cancel()
    #expect(await states.next() == .fetching(previous: nil))
    #expect(await states.next() == .idle)
  }

  @Test("A reader that falls behind receives every change, once and in order")
  func behind() async {
    let events = EventRecorder(image, in: environment)
    var states = image.states.makeAsyncIterator()
    image.startLoading()
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    image.startLoading()
    image.cancel()
    image.startReloading()
    #expect(await states.next() == .idle)
    #expect(await states.next() == .fetching(previous: nil))
    #expect(await states.next() == .loaded(image.image))
    #expect(await states.next() == .fetching(previous: image.image))
  }

  @Test("The stream reports a picture that a read takes from the cache") func cached() async throws {
    let cache = ImageCache()
    cache.store(try Picture(validating: Sample.png.bytes), for: "https://example.org/a")
    let image = IFImage(name: "a", url: "https://example.org/a", in: .held(strategy, cache: cache))
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .idle)
    let picture = image.image
    #expect(await states.next() == .loaded(picture) && picture.format == .png)
    image.startReloading()
    #expect(await states.next() == .fetching(previous: picture))
  }

  @Test("Concurrent reads that take a picture from the cache change the state once", arguments: 0..<50)
  func cachedOnce(_ repetition: Int) async throws {
    let cache = ImageCache()
    cache.store(try Picture(validating: Sample.png.bytes), for: "https://example.org/a")
    let image = IFImage(name: "a", url: "https://example.org/a", in: .held(strategy, cache: cache))
    var states = image.states.makeAsyncIterator()
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { image.startLoading() } }
    }
    image.unload()
    #expect(await states.next() == .idle)
    #expect(await states.next()?.picture?.format == .png)
    #expect(await states.next() == .idle)
  }

  @Test("Under concurrent operations, all streams report the same possible sequence of states", arguments: 0..<50)
  func concurrency(_ repetition: Int) async {
    strategy.endAll(with: Sample.png.bytes)
    let last = ImageState.failed(.badStatus(599))
    let readers = (0..<3).map { _ in
      let states = image.states
      return Task {
        var seen: [ImageState] = []
        for await state in states {
          seen.append(state)
          if state == last { break }
        }
        return seen
      }
    }
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask { [image] in
          for step in 0..<25 {
            switch (number + step) % 4 {
            case 0: image.startLoading()
            case 1: image.startReloading()
            case 2: image.cancel()
            default: image.unload()
            }
            await Task.yield()
          }
        }
      }
    }
    image.unload()
    environment.register(.closure("last") { _ in throw FetchError.badStatus(599) }, selects: true)
    image.startLoading()
    let seen = await readers[0].value
    #expect(await readers[1].value == seen)
    #expect(await readers[2].value == seen)
    #expect(seen.first == .idle && seen.last == last)
    for (old, new) in zip(seen, seen.dropFirst()) {
      let isPossible =
        switch (old, new) {
        case (.idle, .fetching(nil)), (.fetching, .idle), (.fetching, .loaded), (.fetching, .failed), (.loaded, .idle):
          true
        case (.loaded(let picture), .fetching(let previous)): picture == previous
        default: false
        }
      #expect(isPossible, "from \(old) to \(new)")
    }
  }

  @Test("A reader that resumes within a change of the state can use the image, and all streams report the same order")
  func inlineReader() async throws {
    let executor = InlineExecutor()
    let streams = (image.states, image.states)
    let first = Task(executorPreference: executor) { [image] in
      var seen: [ImageState] = []
      for await state in streams.0 {
        seen.append(state)
        guard seen.count < 4 else { break }
        // These calls run within the change that the reader has just received.
        if state.isFetching { image.cancel() } else if seen.count == 3 { image.startLoading() }
      }
      return seen
    }
    let second = Task(executorPreference: executor) { await streams.1.prefix(4).reduce(into: []) { $0.append($1) } }
    image.startLoading()
    let expected: [ImageState] = [.idle, .fetching(previous: nil), .idle, .fetching(previous: nil)]
    #expect(await first.value == expected)
    #expect(await second.value == expected)
  }

  @Test("Reading the states subscribes to no event") func noSubscription() async {
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .idle)
    #expect(environment.bus.subscriptions.isEmpty)
  }

  @Test("A reload that fails is reported with its error and the old picture, which loads still return")
  func failedReload() async throws {
    let events = EventRecorder(image, in: environment)
    image.startLoading()
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    let old = try #require(image.picture)
    var states = image.states.makeAsyncIterator()
    #expect(await states.next() == .loaded(old))
    image.startReloading()
    #expect(await states.next() == .fetching(previous: old))
    await strategy.begun(2)
    strategy.end(1, with: .failure(.badStatus(503)))
    #expect(await states.next() == .failed(.badStatus(503), previous: old))
    #expect(image.state.error == .badStatus(503) && image.picture == old)
    #expect(image.startLoading() == old && image.image == old)
    #expect(try await image.load() == old)
    #expect(strategy.requests.count == 2)
    image.startReloading()
    #expect(await states.next() == .fetching(previous: old))
    image.cancel()
    #expect(await states.next() == .loaded(old) && image.state.error == nil)
  }

  @Test("A stream does not retain its image, and ends when the image is released", arguments: [false, true])
  func released(isRead: Bool) async {
    weak var image: IFImage?
    var states: AsyncStream<ImageState>.Iterator
    do {
      let new = IFImage(name: "b", url: "https://example.org/b", in: environment)
      image = new
      states = new.states.makeAsyncIterator()
      if isRead { #expect(await states.next() == .idle) }
    }
    #expect(image == nil)
    if !isRead { #expect(await states.next() == .idle) }
    #expect(await states.next() == nil)
  }

  @Test("All streams of an image that is released in flight end with the cancelled fetch", arguments: 0..<50)
  func releasedInFlight(_ repetition: Int) async {
    var image: IFImage? = IFImage(name: "b", url: "https://example.org/b", in: environment)
    let readers = (0..<3).compactMap { _ in image?.states }.map { states in
      Task { await states.reduce(into: []) { $0.append($1) } }
    }
    image?.startLoading()
    image = nil
    for reader in readers { #expect(await reader.value == [.idle, .fetching(previous: nil), .idle]) }
  }

  @Test("The stream ends with the task that reads it", arguments: 0..<50)
  func end(_ repetition: Int) async {
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let reading = Task { [states = image.states] in
      for await _ in states { continuation.yield() }
    }
    for await _ in begun { break }
    if repetition.isMultiple(of: 2) { image.startLoading() }
    reading.cancel()
    await reading.value
  }
}

/// Runs each job of a task within the call that makes the job ready, as an executor of an app may do.
private final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
