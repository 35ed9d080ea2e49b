import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

@Suite struct ImageLoadTests {
  private let strategy = HeldStrategy()
  private let address = "http://localhost/a.png"

  @Test("Two loads share an image's fetch and get the picture on main")
  func shared() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Locked<[Bool]>([])
    for _ in 0..<2 {
      image.load { result in
        let isWell = environment.runtime.main.isCurrent && (try? result.get().bytes) == Sample.png.bytes
        results.withLock { $0.append(isWell) }
      }
    }
    await strategy.begun(1)
    strategy.end(0, with: Sample.png.bytes)
    await settle(environment)
    #expect(results.withLock { $0 } == [true, true])
    #expect(strategy.requests.count == 1)
    #expect(environment.bus.subscriberCount(for: ImageFetched.self) == 0)
  }

  @Test("A load keeps the image until its end, and not longer")
  func keepsTheImage() async throws {
    let environment = FetchEnvironment.held(strategy)
    let ends = Locked(0)
    weak var image: IFImage?
    do {
      let made = IFImage(name: "a", url: address, in: environment)
      image = made
      made.load { _ in ends.withLock { $0 += 1 } }
    }
    await strategy.begun(1)
    #expect(image != nil)
    strategy.end(0, with: Sample.png.bytes)
    await settle(environment)
    #expect(ends.withLock { $0 } == 1)
    #expect(image == nil)
  }

  @Test("A picture that is at hand needs no fetch")
  func atHand() async throws {
    let cache = ImageCache()
    let picture = try Picture(validating: Sample.png.bytes)
    cache.store(picture, for: address)
    let environment = FetchEnvironment.held(strategy, cache: cache)
    #expect(try await IFImage(name: "a", url: address, in: environment).load() == picture)
    #expect(strategy.requests.isEmpty)
  }

  @Test("A failure is the error, and the next load tries again")
  func failure() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    async let first = image.load()
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    do {
      _ = try await first
      Issue.record("a picture from a 404")
    } catch {
      #expect(error as? FetchError == .badStatus(404))
    }
    async let second = image.load()
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(try await second.bytes == Sample.png.bytes)
  }

  @Test("Cancelling the image ends a load with cancelled")
  func cancelled() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    async let load = image.load()
    await strategy.begun(1)
    image.cancel()
    do {
      _ = try await load
      Issue.record("a picture after a cancel")
    } catch {
      #expect(error as? FetchError == .cancelled)
    }
  }

  @Test("An immediate cancel ends a load on main and stops its fetch")
  func cancelledAtOnce() async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    let inside = await withCheckedContinuation { continuation in
      // On main, which could otherwise hand over the result before this looks.
      environment.runtime.main.schedule {
        image.load(results.take)
        image.cancel()
        continuation.resume(returning: results.all)
      }
    }
    #expect(inside.isEmpty)
    await settle(environment)
    #expect(results.all == [.failure(.cancelled)])
    #expect(results.wereOnMain)
    #expect(image.state == .idle)
    #expect(environment.requestCount == 0)
  }

  @Test("A load is cancelled with the fetch it joins and starts none")
  func cancelledWithItsFetch() async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    _ = image.image
    await strategy.begun(1)
    image.load(results.take)
    image.cancel()
    await settle(environment)
    #expect(results.all == [.failure(.cancelled)])
    #expect(image.state == .idle)
    #expect(strategy.requests.count == 1)
  }

  @Test("A load ignores the pending cancel event of an earlier fetch")
  func anotherFetchIsCancelled() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    for _ in 0..<3 {
      _ = image.image
      image.cancel()
    }
    image.load(results.take)
    strategy.endAll(with: Sample.png.bytes)
    await wait(environment) { !results.all.isEmpty }
    #expect(results.all == [.success(try Picture(validating: Sample.png.bytes))])
  }

  @Test("Cancelling a task that loads ends its wait alone")
  func taskCancelled() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    image.load(results.take)
    let waiting = Task { () -> FetchError? in
      do throws(FetchError) {
        _ = try await image.load()
        return nil
      } catch {
        return error
      }
    }
    await strategy.begun(1)
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    #expect(image.isFetching)
    #expect(strategy.cancels == 0)
    strategy.end(0, with: Sample.png.bytes)
    await wait(environment) { !results.all.isEmpty }
    #expect(results.all == [.success(try Picture(validating: Sample.png.bytes))])
  }

  @Test("A cancelled load releases its image and ends the request")
  func cancelledHandle() async {
    let environment = FetchEnvironment.held(strategy)
    let results = Results(environment)
    weak var released: IFImage?
    do {
      let image = IFImage(name: "a", url: address, in: environment)
      released = image
      let handle = image.load(results.take)
      await strategy.begun(1)
      handle.cancel()
      handle.cancel()
    }
    await settle(environment)
    #expect(released == nil)
    #expect(results.all == [.failure(.cancelled)])
    #expect(environment.requestCount == 0)
  }

  @Test("A load that is cancelled leaves the fetch to a living image")
  func cancelledBesideTheImage() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    let handle = image.load(results.take)
    await strategy.begun(1)
    handle.cancel()
    await wait(environment) { !results.all.isEmpty }
    #expect(results.all == [.failure(.cancelled)])
    #expect(image.isFetching && strategy.cancels == 0)
    strategy.end(0, with: Sample.png.bytes)
    await wait(environment) { !image.isFetching }
    #expect(image.state == .loaded(try Picture(validating: Sample.png.bytes)))
  }

  @Test("A load in a task that was cancelled before fetches nothing")
  func cancelledBefore() async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let gate = AsyncStream<Void>.makeStream()
    let waiting = Task {
      for await _ in gate.stream {}
      return try? await image.load()
    }
    waiting.cancel()
    gate.continuation.finish()
    #expect(await waiting.value == nil)
    #expect(image.state == .idle)
  }
}

/// What a load hands over, and where.
private final class Results: Sendable {
  private let main: any Scheduler
  private let state = Locked<[(result: Result<Picture, FetchError>, isOnMain: Bool)]>([])

  init(_ environment: FetchEnvironment) { main = environment.runtime.main }

  @Sendable func take(_ result: Result<Picture, FetchError>) {
    let isOnMain = main.isCurrent
    state.withLock { $0.append((result, isOnMain)) }
  }

  var all: [Result<Picture, FetchError>] { state.withLock { $0.map(\.result) } }
  var wereOnMain: Bool { state.withLock { $0.allSatisfy(\.isOnMain) } }
}
