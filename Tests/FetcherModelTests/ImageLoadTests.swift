import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

@Suite struct ImageLoadTests {
  private let strategy = HeldStrategy()
  private let address = "http://localhost/a.png"

  @Test("Two loads of an image share its fetch and receive the picture on main")
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

  @Test("A load retains the image until the load completes, and no longer")
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

  @Test("A load of a cached picture needs no fetch")
  func atHand() async throws {
    let cache = ImageCache()
    let picture = try Picture(validating: Sample.png.bytes)
    cache.store(picture, for: address)
    let environment = FetchEnvironment.held(strategy, cache: cache)
    #expect(try await IFImage(name: "a", url: address, in: environment).load() == picture)
    #expect(strategy.requests.isEmpty)
  }

  @Test("A load throws the error of a failed fetch, and the next load tries again")
  func failure() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    async let first = image.load()
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    do {
      _ = try await first
      Issue.record("the load of a 404 returned a picture")
    } catch {
      #expect(error as? FetchError == .badStatus(404))
    }
    async let second = image.load()
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(try await second.bytes == Sample.png.bytes)
  }

  @Test("Cancelling an image ends its load with the cancelled error")
  func cancelled() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    async let load = image.load()
    await strategy.begun(1)
    image.cancel()
    do {
      _ = try await load
      Issue.record("the cancelled load returned a picture")
    } catch {
      #expect(error as? FetchError == .cancelled)
    }
  }

  @Test("Cancelling an image immediately ends its load on main and stops the fetch")
  func cancelledAtOnce() async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let results = Results(environment)
    let inside = await withCheckedContinuation { continuation in
      // Runs on main, because main could otherwise deliver the result before the test reads `results.all`.
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

  @Test("A completion and a task receive the same error, whatever cancels the fetch", arguments: 0..<4)
  func sameError(cause: Int) async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let (results, continuation) = AsyncStream.makeStream(of: Result<Picture, FetchError>.self)
    let task = Task { await image.result() }
    await strategy.begun(1)
    let handle = image.load { continuation.yield($0) }
    switch cause {
    case 0: image.cancel()
    case 1: image.unload()
    case 2: environment.shutDown()
    default:
      handle.cancel()
      task.cancel()
    }
    for await result in results {
      #expect(result == .failure(.cancelled))
      break
    }
    #expect(await task.value == .failure(.cancelled))
  }

  @Test("A load that joins a fetch is cancelled with it and starts no other fetch")
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

  @Test("Cancelling a task that awaits a load ends only that task's wait")
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

  @Test("A cancelled load releases its image and stops the request")
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

  @Test("Cancelling the last load ends the fetch that only loads wanted, with an event", arguments: [1, 2])
  func lastHandle(loads: Int) async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    let results = Results(environment)
    let handles = (0..<loads).map { _ in image.load(results.take) }
    await strategy.begun(1)
    for handle in handles.dropLast() { handle.cancel() }
    #expect(image.isFetching && strategy.cancels == 0)
    handles.last?.cancel()
    #expect(image.state == .idle && environment.requestCount == 0)
    await wait(environment) { results.all.count == loads }
    #expect(results.all.allSatisfy { $0 == .failure(.cancelled) } && results.wereOnMain)
    await settle(environment)
    #expect(events.kinds == ["started", "cancelled"])
    #expect(strategy.cancels == 1)
  }

  @Test("Cancelling the task of the last load ends the fetch and its request") func lastTask() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    let waiting = Task { try await image.load() }
    await strategy.begun(1)
    waiting.cancel()
    await #expect(throws: FetchError.cancelled) { try await waiting.value }
    await events.ended()
    await settle(environment)
    #expect(events.kinds == ["started", "cancelled"])
    #expect(strategy.cancels == 1 && environment.requestCount == 0)
    async let picture = image.load()
    await strategy.begun(2)
    strategy.end(1, with: Sample.png.bytes)
    #expect(try await picture.format == .png)
  }

  @Test(
    "A fetch that another caller also wants continues when its last load is cancelled",
    arguments: [false, true], ["image", "startLoading", "startReloading"])
  func wantedFetch(isFirst: Bool, want: String) async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    let ask = {
      switch want {
      case "image": _ = image.image
      case "startLoading": image.startLoading()
      default: image.startReloading()
      }
    }
    if isFirst { ask() }
    let handle = image.load { _ in }
    if !isFirst { ask() }
    await strategy.begun(1)
    handle.cancel()
    await settle(environment)
    #expect(image.isFetching && strategy.cancels == 0)
    strategy.end(0, with: Sample.png.bytes)
    await events.ended()
    #expect(image.state.picture?.format == .png)
    #expect(events.kinds == ["started", "fetched"] && strategy.requests.count == 1)
  }

  @Test("A fetch is wanted only once: the next one ends with its last load") func nextFetch() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    image.startLoading()
    await strategy.begun(1)
    image.cancel()
    let handle = image.load { _ in }
    await strategy.begun(2)
    handle.cancel()
    #expect(image.state == .idle && environment.requestCount == 0)
  }

  @Test("Cancelling the load of a fetch that has ended does not end the next fetch") func lateCancel() async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    let old = image.load { _ in }
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(404)))
    await events.ended()
    let new = image.load { _ in }
    await strategy.begun(2)
    old.cancel()
    #expect(image.isFetching && strategy.cancels == 0)
    new.cancel()
    #expect(image.state == .idle)
  }

  @Test("If the last load of one of two images is cancelled, the request continues for the other image")
  func sharedRequest() async throws {
    let environment = FetchEnvironment.held(strategy)
    let images = ["a", "b"].map { IFImage(name: $0, url: address, in: environment) }
    let handle = images[0].load { _ in }
    async let picture = images[1].load()
    await strategy.begun(1)
    await wait(environment) { images[1].isFetching }
    handle.cancel()
    #expect(images[0].state == .idle && strategy.cancels == 0)
    strategy.end(0, with: Sample.png.bytes)
    #expect(try await picture.format == .png)
    #expect(strategy.requests.count == 1)
  }

  @Test(
    "Concurrent loads that are all cancelled leave no request, and each of their fetches ends once", arguments: 0..<50)
  func concurrentCancels(repetition: Int) async {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let events = EventRecorder(image, in: environment)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<5 {
            let load = Task { try? await image.load() }
            if number.isMultiple(of: 2) { await Task.yield() }
            load.cancel()
            #expect(await load.value == nil)
          }
        }
      }
    }
    #expect(image.state == .idle && environment.requestCount == 0)
    await settle(environment)
    let kinds = events.kinds
    #expect(
      kinds == kinds.indices.map { $0.isMultiple(of: 2) ? "started" : "cancelled" } && kinds.count.isMultiple(of: 2))
  }

  @Test("A load returns after subscribers on main have received the final event", arguments: [true, false], 0..<50)
  func afterTheEvent(succeeds: Bool, repetition: Int) async throws {
    let environment = FetchEnvironment.held(strategy)
    let image = IFImage(name: "a", url: address, in: environment)
    let received = Locked(0)
    let subscriptions = [
      environment.bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { _ in received.withLock { $0 += 1 } },
      environment.bus.subscribe(to: ImageFetchFailed.self, key: image.id, on: .main) { _ in
        received.withLock { $0 += 1 }
      },
    ]
    let load = Task { try? await image.load() }
    await strategy.begun(1)
    strategy.end(0, with: succeeds ? .success(FetchedBody(bytes: Sample.png.bytes)) : .failure(.timedOut))
    let picture = await load.value
    #expect(received.withLock { $0 } == 1)
    #expect((picture != nil) == succeeds)
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test("A load in a task that is already cancelled starts no fetch")
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

/// A record of the results of a load, and of whether they arrived on main.
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
