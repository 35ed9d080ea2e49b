import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct ClosureStrategyTests {
  private static let request = FetchRequest(
    url: URL(filePath: "/a.png"), limits: FetchLimits(maximumBytes: 1000))

  /// Returns the results of one fetch when the first one has arrived.
  private func results(
    of strategy: ClosureStrategy, whileFetching act: (any Cancellation) -> Void = { _ in }
  ) async -> [Result<FetchedBody, FetchError>] {
    let ends = Locked<[Result<FetchedBody, FetchError>]>([])
    await withCheckedContinuation { continuation in
      let handle = strategy.fetch(Self.request) { result in
        let isFirst = ends.withLock { ends in
          ends.append(result)
          return ends.count == 1
        }
        if isFirst { continuation.resume() }
      }
      act(handle)
    }
    return ends.withLock { $0 }
  }

  @Test("Images fetch through a closure that is registered under a name")
  func images() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Sample.png.bytes.write(to: folder.appendingPathComponent("a.png"))

    let environment = FetchEnvironment(limits: FetchLimits(deadline: nil))
    environment.register(folderStrategy(folder))
    try environment.select("folder")
    let images = ["a.png", "b.png"].map { IFImage(name: $0, url: "https://example.org/\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    for image in images { _ = image.image }
    for recorder in events { await recorder.ended() }
    #expect(images[0].image.bytes == Sample.png.bytes)
    #expect(images[1].state == .failed(.badStatus(404)))
    #expect(events.allSatisfy { $0.last?.strategy == "folder" })
    #expect(environment.strategies.map(\.name) == ["blocking", "dataTask", "downloadTask", "async", "folder"])
  }

  @Test("A cancel completes the fetch immediately and only once, while the closure still runs")
  func cancelAtOnce() async {
    let runtime = DispatchRuntime.shared
    let door = Locked<CheckedContinuation<Void, Never>?>(nil)
    let isInside = runtime.gate()
    let isCancelled = Locked(false)
    let isOver = runtime.gate()
    let strategy = ClosureStrategy("held", runtime: runtime) { _ in
      await withCheckedContinuation { continuation in
        door.withLock { $0 = continuation }
        isInside.open()
      }
      isCancelled.withLock { $0 = Task.isCancelled }
      isOver.open()
      return FetchedBody(bytes: Data([1]))
    }
    let ends = await results(of: strategy) { handle in
      isInside.wait()
      handle.cancel()
      handle.cancel()
    }
    #expect(ends == [.failure(.cancelled)])
    door.withLock { $0 }?.resume()
    isOver.wait()
    #expect(isCancelled.withLock { $0 })
  }

  @Test("A cancel that races with the result completes the fetch once")
  func cancelBesideResult() async {
    let strategy = ClosureStrategy("quick", runtime: DispatchRuntime.shared) { _ in FetchedBody(bytes: Data([1])) }
    for _ in 0..<200 {
      let ends = await results(of: strategy) { handle in
        handle.cancel()
        handle.cancel()
      }
      #expect([[.failure(.cancelled)], [.success(FetchedBody(bytes: Data([1])))]].contains(ends))
    }
  }

  @Test("A closure's error or result maps to the corresponding fetch error")
  func errors() async {
    func end(_ body: @escaping @Sendable (FetchRequest) async throws -> FetchedBody) async -> FetchError? {
      let ends = await results(of: ClosureStrategy("x", runtime: DispatchRuntime.shared, body))
      guard ends.count == 1, case .failure(let error) = ends[0] else { return nil }
      return error
    }
    #expect(await end { _ in throw FetchError.truncated } == .truncated)
    #expect(await end { _ in throw CancellationError() } == .cancelled)
    #expect(await end { _ in throw URLError(.timedOut) } == .timedOut)
    #expect(await end { _ in throw URLError(.cannotConnectToHost) } == .transport(-1004))
    #expect(await end { _ in throw NetworkError(code: -1004) } == .transport(-1004))
    #expect(await end { _ in FetchedBody(bytes: Data(), status: 404) } == .badStatus(404))
    #expect(await end { _ in FetchedBody(bytes: Data(count: 1001)) } == .tooLarge)
    #expect(await end { _ in FetchedBody(bytes: Data(count: 1000), status: 200) } == nil)
  }

  @Test("The message for a closure's error quotes its text but no secrets")
  func ownErrors() async throws {
    struct Full: LocalizedError { let errorDescription: String? = "the disk is full" }
    enum Broken: Error { case disk(String) }
    func message(_ error: any Error) async -> String {
      let environment = FetchEnvironment(
        strategy: .closure("mine") { _ in throw error }, limits: FetchLimits(deadline: nil))
      let image = IFImage(name: "a", url: "https://example.org/a.png", in: environment)
      do { return "\(try await image.load())" } catch { return error.message(for: "a") }
    }
    #expect(
      await message(Full())
        == "picture “a”: the strategy mine failed: “the disk is full”; fix it, or select another strategy")
    let secret = await message(Broken.disk("https://me:secret@example.org/?key=secret\nnext"))
    #expect(secret.contains("disk(") && secret.contains("example.org"), "\(secret)")
    #expect(!secret.contains("secret") && !secret.contains("\n"), "\(secret)")
    for text in ["GET https://h/p failed for me:secret@h2", "proxy me:secret@h2 refused https://h/p"] {
      let message = await message(Broken.disk(text))
      #expect(message.contains("h2") && !message.contains("secret"), "\(message)")
    }
    let numbered = await message(Broken.disk("issue #42 of https://h/p#4711"))
    #expect(numbered.contains("issue #42 of https://h/p\""), "\(numbered)")
  }

  @Test("The closure of a strategy never runs inside the call of fetch")
  func neverInside() {
    let runtime = ManualRuntime()
    let begun = Locked(0)
    let strategy = ClosureStrategy("x", runtime: runtime) { _ in
      begun.withLock { $0 += 1 }
      return FetchedBody(bytes: Data())
    }
    _ = strategy.fetch(Self.request) { _ in }
    #expect(begun.withLock { $0 } == 0)
    runtime.runReady()
    #expect(begun.withLock { $0 } == 1)
  }
  @Test("The factory of a closure runs it on the runtime of the environment, which can also select and register it")
  func factory() throws {
    let runtime = ManualRuntime()
    let calls = Locked(0)
    let stub = StrategyFactory.closure("stub") { _ in
      calls.withLock { $0 += 1 }
      return FetchedBody(bytes: Sample.png.bytes)
    }
    let environments = (0..<3).map { _ in FetchEnvironment(bus: EventBus(runtime: runtime)) }
    environments[0].register(stub, selects: true)
    environments[1].register(stub)
    try environments[1].select("stub")
    let all = environments.dropLast() + [FetchEnvironment(bus: EventBus(runtime: runtime), strategy: stub)]
    let images = all.map { IFImage(name: "a", url: "https://example.org/a.png", in: $0) }
    for image in images { image.startLoading() }
    #expect(calls.withLock { $0 } == 0)
    runtime.runReady()
    #expect(calls.withLock { $0 } == 3)
    #expect(images.allSatisfy { $0.picture?.format == .png } && runtime.isIdle)
  }
}
