import Dispatch
import EventBus
import FetcherModel
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A way to fetch that must not be used, beside the strategy that replaces it. It runs in a child process only.
struct Exhibit: Sendable {
  /// What is done to a strategy.
  enum Load: String, Sendable {
    /// All requests at once.
    case together
    /// One request after the other, each cancelled at about the time of its answer.
    case cancelled
  }

  let strategy: any FetchStrategy
  /// The shipped strategy that does the same without the fault.
  let remedy: String
  let load: Load
  let requests: Int
  /// The time that the origin takes for each answer.
  let latency: Duration
  /// The watchdog ends an exhibit that runs longer.
  var limit: Duration
  /// What happens and why.
  let explanation: String

  var name: String { strategy.name.description }

  /// All of them.
  static let all = [
    Exhibit(
      strategy: BlockingNaiveStrategy(), remedy: "blocking", load: .together,
      requests: ProcessInfo.processInfo.activeProcessorCount + 1, latency: .milliseconds(50),
      limit: .seconds(30),
      explanation: """
        Each read parks a thread of the global pool, and the network needs a thread of the same pool to feed it. On \
        Linux the pool has one thread per core and grows by one a second, so that the reads wait for it to grow. The \
        strategy “blocking” reads on workers of higher quality, a bounded number at once.
        """),
    Exhibit(
      strategy: AsyncBuiltinStrategy(), remedy: "async", load: .cancelled, requests: 500, latency: .milliseconds(2),
      limit: .seconds(5),
      explanation: """
        On Linux a cancel holds the lock of its task and waits for the queue that all sessions share; if that queue is \
        about to hand the answer to the same task, it waits for the lock (swift-corelibs-foundation #5412), and no \
        request of the process comes to its end any more. Now and then Foundation looks for the cancelled task in its \
        registry instead, does not find it, and ends the process (#3296). The strategy “async” awaits a plain data task \
        and cancels it once, outside any lock.
        """),
  ]

  static func named(_ name: String) throws(UsageError) -> Exhibit {
    guard let exhibit = all.first(where: { $0.name == name }) else {
      throw .unknown("exhibit", name, among: all.map(\.name))
    }
    return exhibit
  }

  /// The exhibit's own strategy or its remedy.
  func contender(_ name: String) -> (any FetchStrategy)? {
    name == self.name ? strategy : name == remedy ? StrategyRegistry.standard()[StrategyName(name)] : nil
  }
}

/// The exhibit of a deadlock: the async call that Foundation has built in.
///
/// On Linux a cancel holds the lock of its task and waits for the queue that all sessions share, while that queue may wait
/// for the lock to hand over an answer (swift-corelibs-foundation #5412). Never in the registry of an application.
struct AsyncBuiltinStrategy: FetchStrategy {
  let name: StrategyName = "async-builtin"
  let capabilities = StrategyCapabilities(
    canCancel: true, seesStatus: true,
    note: "URLSession.data(for:): a cancel can stop every session of the process for ever")

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

/// The exhibit of a starved pool: a blocking read on the global queue of default quality, as many at once as are asked
/// for.
///
/// Each read parks a thread of the pool until Foundation, which needs a thread of the same pool, has the bytes. On Linux
/// the pool has one thread per core and grows by one a second. Never in the registry of an application.
struct BlockingNaiveStrategy: FetchStrategy {
  let name: StrategyName = "blocking-naive"
  let capabilities = StrategyCapabilities(
    note: "Data(contentsOf:) on the global queue at default priority, unbounded: the pool starves")

  func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    DispatchQueue.global().async {
      let bytes = try? Data(contentsOf: request.url)
      completion(bytes.map { .success(FetchedBody(bytes: $0)) } ?? .failure(.transport(256)))
    }
    return NoCancellation()
  }

  private struct NoCancellation: Cancellation {
    func cancel() {}
  }
}
