import CommandLineTool
import Dispatch
import EventBus
import FetcherModel
import Foundation
import PlainText
import ScenarioEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An unsafe way to fetch, together with the strategy that replaces it. It runs only in a child process.
struct Exhibit: Sendable {
  /// How the requests are made.
  enum Load: String, Sendable {
    /// All requests start at the same time.
    case together
    /// Requests run one after the other. Each request is cancelled at about the time its response arrives.
    case cancelled
  }

  let strategy: any FetchStrategy
  /// The name of the standard strategy that fetches in the same way, but without the fault.
  let remedy: String
  let load: Load
  let requests: Int
  /// The origin's delay before each response.
  let latency: Duration
  /// The time after which the watchdog terminates the exhibit.
  var limit: Duration
  /// An explanation of the effect and its cause.
  let explanation: String

  var name: String { strategy.name.description }

  /// All exhibits.
  static let all = [
    Exhibit(
      strategy: BlockingNaiveStrategy(), remedy: "blocking", load: .together,
      requests: ProcessInfo.processInfo.activeProcessorCount + 1, latency: .milliseconds(50),
      limit: .seconds(30),
      explanation: """
        Each read blocks a thread of the global pool, and Foundation needs a thread of the same pool to deliver data. \
        On Linux, the pool starts with one thread per core and grows by one thread per second, so the reads wait for \
        it to grow. The strategy “blocking” reads on workers with a higher quality of service, and limits how many \
        reads run at once.
        """),
    Exhibit(
      strategy: AsyncBuiltinStrategy(), remedy: "async", load: .cancelled, requests: 500, latency: .milliseconds(2),
      limit: .seconds(5),
      explanation: """
        On Linux, a cancellation holds its task's lock while it waits for the queue that all sessions share. If that \
        queue is about to deliver the response to the same task, it waits for the lock (swift-corelibs-foundation \
        #5412). From then on, no request in the process ends. Occasionally, Foundation looks for the cancelled task in \
        its registry, does not find it, and terminates the process (#3296). The strategy “async” awaits a plain data \
        task and cancels it once, outside any lock.
        """),
  ]

  static func named(_ name: String) throws(UsageError) -> Exhibit {
    if name.isEmpty { throw UsageError("--exhibit needs a name: \(all.map(\.name).listed(with: "or"))") }
    guard let exhibit = all.first(where: { $0.name == name }) else {
      throw .unknown("exhibit", name, among: all.map(\.name))
    }
    return exhibit
  }

  /// Returns the exhibit's strategy or its remedy, or nil for any other name.
  func contender(_ name: String) -> (any FetchStrategy)? {
    if name == self.name { return strategy }
    return name == remedy ? LaboratoryStrategies.all.first { $0.name.description == name } : nil
  }
}

/// Demonstrates a deadlock in Foundation's async API.
///
/// On Linux, a cancellation holds its task's lock while it waits for a queue that all sessions share. That queue may be
/// waiting for the same lock in order to deliver a response (swift-corelibs-foundation #5412). Never register this
/// strategy in an application.
struct AsyncBuiltinStrategy: FetchStrategy {
  let name: StrategyName = "async-builtin"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true,
    note: "URLSession.data(for:): a cancellation can block every session in the process forever")

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let task = DispatchRuntime.shared.task {
      do {
        let (bytes, response) = try await URLSession.shared.data(for: URLRequest(url: request.url))
        completion(.success(FetchedBody(bytes: bytes, status: (response as? HTTPURLResponse)?.statusCode)))
      } catch {
        completion(.failure(NetworkError(code: (error as? URLError)?.code.rawValue ?? -1).asFetchError))
      }
    }
    return TaskCancellation(task: task)
  }

  private struct TaskCancellation: Cancellation {
    let task: Task<Void, Never>
    func cancel() { task.cancel() }
  }
}

/// Demonstrates how unlimited blocking reads on the global queue, at default priority, exhaust the thread pool.
///
/// Each read blocks a pool thread until Foundation has received the bytes, and Foundation itself needs a thread from
/// the same pool. On Linux, the pool starts with one thread per core and grows by one thread per second. Never register
/// this strategy in an application.
struct BlockingNaiveStrategy: FetchStrategy {
  let name: StrategyName = "blocking-naive"
  let capabilities = StrategyCapabilities(
    note: "Data(contentsOf:) on the global queue at default priority, unbounded: the pool starves")

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    DispatchQueue.global().async {
      let bytes = try? Data(contentsOf: request.url)
      completion(bytes.map { .success(FetchedBody(bytes: $0)) } ?? .failure(.transport(.unknown)))
    }
    return NoCancellation()
  }

  private struct NoCancellation: Cancellation {
    func cancel() {}
  }
}
