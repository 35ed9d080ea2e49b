import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing
import TutorialApps

extension OwnProcesses {
  /// A slow or faulty strategy affects only its own requests.
  @Suite struct IsolationTests {
    /// Runs in a separate process, because the reads block workers that other tests need.
    @Test("Twenty stalled reads by the blocking strategy delay no data task and no deadline")
    func stalledReads() async {
      await #expect(processExitsWith: .success) {
        let watchdog = Watchdog(seconds: 120, "twenty stalled reads")
        let runtime = DeadlineRuntime()
        let stall = OriginResponse(body: .data(Sample.png.bytes), fault: .stall(after: 10))
        let workbench = try Workbench(
          "blocking", [OriginRoute(path: "/stall", stall)], limits: FetchLimits(deadline: DeadlineRuntime.deadline),
          runtime: runtime)
        let environment = workbench.environment
        environment.register(BlockingStrategy(maximumInFlight: 20))
        try environment.select("blocking")
        let stalled = (0..<20).map { workbench.image("/stall?\($0)") }
        let recorders = stalled.map { EventRecorder($0, in: environment) }
        for image in stalled { _ = image.image }
        try environment.select("dataTask")
        let (image, _) = await workbench.fetch()
        precondition(!image.image.isPlaceholder)
        precondition(stalled.allSatisfy { $0.isFetching })
        runtime.pass()
        for recorder in recorders { await recorder.ended() }
        precondition(stalled.allSatisfy { $0.state == .failed(.timedOut) })
        watchdog.stop()
      }
    }

    @Test("Eight reads that block forever on an authentication challenge block no data task")
    func challenges() async {
      await #expect(processExitsWith: .success) {
        let watchdog = Watchdog(seconds: 120, "eight challenges")
        let runtime = DeadlineRuntime()
        let challenge = OriginResponse(
          status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: .text("no"))
        let workbench = try Workbench(
          "blocking", [OriginRoute(path: "/secret", challenge)],
          limits: FetchLimits(deadline: DeadlineRuntime.deadline),
          runtime: runtime)
        let environment = workbench.environment
        let secrets = (0..<8).map { workbench.image("/secret?\($0)") }
        let recorders = secrets.map { EventRecorder($0, in: environment) }
        for image in secrets { _ = image.image }
        await wait(environment) { workbench.origin.counters.requests == 8 }
        runtime.pass()
        for recorder in recorders { await recorder.ended() }
        try environment.select("dataTask")
        for number in 0..<3 {
          let (image, _) = await workbench.fetch("/a.png?\(number)")
          precondition(!image.image.isPlaceholder)
        }
        watchdog.stop()
      }
    }
  }
}

extension NetworkSuite {
  @Suite struct ManyCancelTests {
    @Test("Hundreds of cancels in one turn of main end all of their tasks")
    func hundredsOfCancels() async throws {
      let count = LongTests.times(600, long: 2000)
      let stall = OriginResponse(body: .data(Sample.png.bytes), fault: .stall(after: 10))
      let workbench = try Workbench("dataTask", [OriginRoute(path: "/stall", stall)])
      let environment = workbench.environment
      let loader = WatchingLoader()
      environment.use(DataTaskStrategy(loader: loader))
      let images = (0..<count).map { workbench.image("/stall?\($0)") }
      for image in images { _ = image.image }
      await wait(environment) { loader.begun == count }
      await withCheckedContinuation { continuation in
        environment.runtime.main.schedule {
          for image in images { image.cancel() }
          continuation.resume()
        }
      }
      #expect(environment.requestCount == 0)
      await wait(environment) { loader.ends.count == count }
      #expect(loader.ends.allSatisfy { $0?.code == -999 })
      let (image, _) = await workbench.fetch()
      #expect(image.image.bytes == Sample.png.bytes)
    }
  }
}

/// The same isolation for strategies that break the contract.
@Suite(.timeLimit(.minutes(10))) struct MisbehaviorTests {
  /// Limits whose deadline passes only when the test fires it.
  private let brief = FetchLimits(deadline: DeadlineRuntime.deadline)

  @Test("A fetch call that blocks delays no other fetch and ends at its deadline")
  func blocksInFetch() async throws {
    let (stuck, runtime) = (StuckStrategy(), DeadlineRuntime())
    let environment = FetchEnvironment.strategies(stuck, limits: brief, runtime: runtime)
    let blocked = (0..<3).map { IFImage(name: "stuck \($0)", url: "http://localhost/stuck\($0)", in: environment) }
    let events = blocked.map { EventRecorder($0, in: environment) }
    for image in blocked { _ = image.image }
    let free = IFImage(name: "free", url: "http://localhost/free", in: environment)
    let picture = try await free.load()
    #expect(picture.bytes == Sample.png.bytes)
    runtime.pass()
    for recorder in events { await recorder.ended() }
    #expect(blocked.allSatisfy { $0.state == .failed(.timedOut) })
    #expect(environment.requestCount == 0)
    stuck.open()
  }

  @Test("A strategy that always blocks occupies at most four threads, and its fetches time out")
  func alwaysBlocks() async throws {
    let (stuck, runtime) = (StuckStrategy(), DeadlineRuntime())
    let environment = FetchEnvironment.strategies(stuck, limits: brief, runtime: runtime)
    let blocked = (0..<200).map { IFImage(name: "stuck \($0)", url: "http://localhost/stuck\($0)", in: environment) }
    let events = blocked.map { EventRecorder($0, in: environment) }
    for image in blocked { _ = image.image }
    await wait(environment) { stuck.waiting == 4 }
    // Another strategy does not wait for this one.
    environment.use(EagerStrategy { _ in .success(FetchedBody(bytes: Sample.png.bytes)) })
    #expect(
      try await IFImage(name: "free", url: "http://localhost/free", in: environment).load().bytes == Sample.png.bytes)
    runtime.pass()
    for recorder in events { await recorder.ended() }
    #expect(blocked.allSatisfy { $0.state == .failed(.timedOut) })
    #expect(stuck.waiting == 4)
    stuck.open()
    await wait(environment) { stuck.waiting == 0 }
  }

  @Test("A strategy that blocks inside cancel delays no other deadline")
  func blocksInCancel() async throws {
    let (stuck, runtime) = (StuckStrategy(), DeadlineRuntime())
    let environment = FetchEnvironment.strategies(stuck, limits: brief, runtime: runtime)
    let images = (0..<3).map { IFImage(name: "\($0)", url: "http://localhost/endless\($0)", in: environment) }
    let events = images.map { EventRecorder($0, in: environment) }
    for image in images { _ = image.image }
    await wait(environment) { stuck.endless == 3 }
    runtime.pass()
    for recorder in events { await recorder.ended() }
    #expect(images.allSatisfy { $0.state == .failed(.timedOut) })
    #expect(
      try await IFImage(name: "free", url: "http://localhost/free", in: environment).load().bytes == Sample.png.bytes)
    stuck.open()
  }

  @Test("A service call whose fetch blocks ends at its deadline")
  func servicesToo() async throws {
    let stuck = StuckStrategy()
    let environment = FetchEnvironment.strategies(stuck, limits: FetchLimits(deadline: .milliseconds(300)))
    await #expect(throws: APIError.dataTaskError(.timedOut)) {
      _ = try await APIService("http://localhost/stuck", in: environment).getJSON([Int].self)
    }
    stuck.open()
  }

  @Test("An attempt that completes twice starts one retry, and a cancel reaches that retry")
  func completesTwice() async throws {
    let twice = TwiceStrategy()
    let environment = FetchEnvironment.strategies(
      twice, limits: FetchLimits(deadline: nil, retries: 1, retryDelay: .zero))
    let image = IFImage(name: "a", url: "http://localhost/a", in: environment)
    _ = image.image
    await wait(environment) { twice.begun >= 2 }
    await settle(environment)
    #expect(twice.begun == 2)
    image.cancel()
    #expect(twice.cancels == [1])
    #expect(environment.requestCount == 0)
  }

  @Test("A late completion of one attempt does not end the next attempt")
  func completesLate() async throws {
    let twice = TwiceStrategy()
    let environment = FetchEnvironment.strategies(
      twice, limits: FetchLimits(deadline: nil, retries: 1, retryDelay: .zero))
    let image = IFImage(name: "a", url: "http://localhost/a", in: environment)
    _ = image.image
    await wait(environment) { twice.begun >= 2 }
    twice.complete(0, .failure(.badStatus(404)))
    await settle(environment)
    #expect(image.isFetching)
    twice.complete(1, .success(FetchedBody(bytes: Sample.png.bytes)))
    await wait(environment) { !image.isFetching }
    #expect(image.image.bytes == Sample.png.bytes)
  }
}

/// A strategy that blocks until `open()`: inside `fetch` for “stuck” paths, and inside the cancel for “endless” paths.
private final class StuckStrategy: FetchStrategy {
  let name: StrategyName = "stuck"
  let capabilities = StrategyCapabilities(
    seesRedirects: true, note: "blocks its caller")
  private let door = DispatchSemaphore(value: 0)
  private let inside = Locked(0)
  private let begun = Locked(0)

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    if request.url.path.contains("stuck") {
      inside.withLock { $0 += 1 }
      door.wait()
      inside.withLock { $0 -= 1 }
    }
    if request.url.path.contains("endless") {
      begun.withLock { $0 += 1 }
      return StuckCancellation(door: door)
    }
    completion(.success(FetchedBody(bytes: Sample.png.bytes)))
    return NoCancellation()
  }

  /// The number of calls that are blocked inside `fetch`.
  var waiting: Int { inside.withLock { $0 } }

  /// The number of endless fetches that have started.
  var endless: Int { begun.withLock { $0 } }

  func open() { for _ in 0..<300 { door.signal() } }
}

private struct StuckCancellation: Cancellation {
  let door: DispatchSemaphore
  func cancel() { door.wait() }
}

private struct NoCancellation: Cancellation {
  func cancel() {}
}

/// A strategy that fails its first fetch twice inside `fetch`. The test completes the others.
private final class TwiceStrategy: FetchStrategy {
  typealias Completion = @Sendable (Result<FetchedBody, FetchError>) -> Void
  private struct Fetch {
    let complete: Completion
  }
  private struct State {
    var fetches: [Fetch] = []
    var cancels: [Int] = []
  }
  private struct Handle: Cancellation {
    let owner: TwiceStrategy
    let number: Int
    func cancel() { owner.state.withLock { $0.cancels.append(number) } }
  }

  let name: StrategyName = "twice"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true, reportsProgress: true, seesRedirects: true, note: "completes twice")
  private let state = Locked(State())

  var begun: Int { state.withLock { $0.fetches.count } }
  var cancels: [Int] { state.withLock { $0.cancels } }

  func complete(_ number: Int, _ result: Result<FetchedBody, FetchError>) {
    state.withLock { $0.fetches[number] }.complete(result)
  }

  func fetch(_ request: FetchRequest, completion: @escaping Completion) -> any Cancellation {
    let number = state.withLock { state in
      state.fetches.append(Fetch(complete: completion))
      return state.fetches.count - 1
    }
    if number == 0 {
      completion(.failure(.badStatus(503)))
      completion(.failure(.badStatus(503)))
    }
    return Handle(owner: self, number: number)
  }
}

extension FetchEnvironment {
  /// Returns an environment with these strategies and selects the first one.
  static func strategies(
    _ strategies: any FetchStrategy..., limits: FetchLimits, runtime: any Runtime = DispatchRuntime.shared
  ) -> FetchEnvironment {
    let environment = FetchEnvironment(bus: EventBus(runtime: runtime), limits: limits)
    for strategy in strategies.reversed() { environment.use(strategy) }
    return environment
  }
}
