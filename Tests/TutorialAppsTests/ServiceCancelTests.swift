import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing
import TutorialApps

@Suite struct ServiceCancelTests {
  private let strategy = HeldStrategy()
  private let environment: FetchEnvironment
  private let service: APIService
  private let results = Locked<[Result<[Int], APIError>]>([])

  init() {
    environment = .held(strategy)
    service = APIService("http://localhost/list", in: environment)
  }

  private func start() -> any Cancellation {
    service.getJSON([Int].self) { [results] result in results.withLock { $0.append(result) } }
  }

  private var all: [Result<[Int], APIError>] { results.withLock { $0 } }

  @Test("A cancel stops the fetch, and the caller receives only the cancellation")
  func cancelWins() async {
    let handle = start()
    await strategy.begun(1)
    handle.cancel()
    handle.cancel()
    await wait(environment) { strategy.cancels > 0 }
    strategy.end(0, with: Data("[1]".utf8))
    await settle(environment)
    #expect(all == [.failure(.dataTaskError(.cancelled))])
    #expect(strategy.cancels == 1)
  }

  @Test("A response head that arrives after a cancel is not posted")
  func headAfterCancel() async throws {
    let heads = Locked(0)
    let listener = environment.bus.subscribe(to: ServiceResponded.self) { _ in heads.withLock { $0 += 1 } }
    let handle = start()
    await strategy.begun(1)
    let responded = try #require(strategy.requests.first?.responded)
    let head = NetworkResponse(url: try #require(URL(string: "http://localhost/list")), status: 200)
    responded(head)
    await settle(environment)
    #expect(heads.withLock { $0 } == 1)
    handle.cancel()
    responded(head)
    await settle(environment)
    #expect(heads.withLock { $0 } == 1)
    withExtendedLifetime(listener) {}
  }

  @Test("If two loads start concurrently, one continues and the other is cancelled") func loadsAtOnce() async {
    for _ in 0..<200 {
      let strategy = HeldStrategy()
      let environment = FetchEnvironment.held(strategy)
      let resource: ServiceResource<[Int], APIError> = APIService("http://localhost/list", in: environment).resource()
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { resource.load() } }
      }
      await settle(environment)
      #expect(strategy.requests.count - strategy.cancels == 1)
      #expect(resource.isLoading)
    }
  }

  /// A value that opens a gate when it is decoded.
  private struct Witness: Decodable, Sendable {
    static let read = DispatchRuntime.shared.gate()

    init(from decoder: any Decoder) { Self.read.open() }
  }

  @Test("A subscriber on main receives the response head before the result is delivered")
  func headBeforeResult() async throws {
    let address = try #require(URL(string: "http://localhost/list"))
    let order = Locked<[String]>([])
    let listener = environment.bus.subscribe(to: ServiceResponded.self, on: .main) { _ in
      order.withLock { $0.append("head") }
    }
    for index in 0..<50 {
      _ = service.getJSON(Witness.self) { _ in order.withLock { $0.append("result") } }
      await strategy.begun(index + 1)
      let responded = try #require(strategy.requests.last?.responded)
      environment.runtime.main.schedule { [strategy] in
        responded(NetworkResponse(url: address, status: 200))
        strategy.end(index, with: Data("{}".utf8))
        // Head and result both arrive before main can deliver either of them.
        Witness.read.wait()
      }
      await wait(environment) { order.withLock { $0.count } == 2 * (index + 1) }
    }
    #expect(order.withLock { $0 } == Array(repeating: ["head", "result"], count: 50).flatMap(\.self))
    listener.cancel()
  }

  @Test("A cancel after the end changes no result and does not reach the strategy")
  func cancelIsLate() async {
    let handle = start()
    await strategy.begun(1)
    strategy.end(0, with: Data("[1]".utf8))
    await settle(environment)
    handle.cancel()
    await settle(environment)
    #expect(all == [.success([1])])
    #expect(strategy.cancels == 0)
  }

  @Test("Releasing the handle of a request does not cancel it")
  func droppedHandle() async {
    _ = start()
    await strategy.begun(1)
    strategy.end(0, with: Data("[1, 2]".utf8))
    await settle(environment)
    #expect(all == [.success([1, 2])])
  }

  @Test("If a strategy calls its completion twice, the service reports only the first result")
  func completionTwice() async {
    _ = start()
    await strategy.begun(1)
    strategy.end(0, with: .failure(.badStatus(500)))
    strategy.end(0, with: Data("[1]".utf8))
    await settle(environment)
    #expect(all == [.failure(.invalidResponseStatus(500))])
  }

  @Test("Cancelling the waiting task ends its wait and cancels the fetch")
  func taskCancel() async {
    let service = service
    let waiting = Task { await Result { () async throws(APIError) in try await service.getJSON([Int].self) } }
    await strategy.begun(1)
    waiting.cancel()
    #expect(await waiting.value == .failure(.dataTaskError(.cancelled)))
    await wait(environment) { strategy.cancels == 1 }
    #expect(strategy.cancels == 1)
  }

  @Test("A task that is cancelled before its request starts no fetch")
  func taskCancelledEarly() async {
    let service = service
    let gate = AsyncStream<Void>.makeStream()
    let waiting = Task {
      for await _ in gate.stream {}
      return await Result { () async throws(APIError) in try await service.getJSON([Int].self) }
    }
    waiting.cancel()
    gate.continuation.finish()
    #expect(await waiting.value == .failure(.dataTaskError(.cancelled)))
    #expect(strategy.requests.isEmpty)
  }

  @Test("A request's handle is released after the request ends")
  func released() async {
    weak var handle: (any Cancellation & AnyObject)?
    do {
      let strong = start()
      handle = strong as? any Cancellation & AnyObject
      #expect(handle != nil)
      await strategy.begun(1)
      strategy.end(0, with: Data("[1]".utf8))
      await settle(environment)
    }
    await settle(environment)
    #expect(handle == nil)
  }
}

extension Result {
  /// Creates the result of an async function.
  fileprivate init(_ body: () async throws(Failure) -> Success) async {
    do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
