public import EventBus

/// Fetches with async and await, over a bridge of its own.
///
/// The built-in `URLSession.data(for:)` deadlocks the process when it is cancelled on Linux
/// (swift-corelibs-foundation #5412), so a continuation stands over a plain data task instead.
public struct AsyncStrategy: FetchStrategy {
  /// `async`.
  public let name = "async"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all(
    "async/await over a continuation of its own, as the built-in call deadlocks on cancel")
  private let runtime: any Runtime
  private let loader: any NetworkLoader
  private let timers: any Scheduler

  /// A strategy on the given network, whose tasks the runtime starts.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any NetworkLoader = SystemLoader.shared) {
    self.runtime = runtime
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Starts a task that awaits ``body(for:)``. Completes on the runtime's executor.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let task = runtime.task {
      do throws(FetchError) {
        completion(.success(try await body(for: request)))
      } catch {
        completion(.failure(error))
      }
    }
    return TaskCancellation(task: task)
  }

  /// The body behind the request's URL. Cancelling the calling task ends it with `cancelled`.
  public func body(for request: FetchRequest) async throws(FetchError) -> FetchedBody {
    try await OneShot<Result<FetchedBody, FetchError>>.value(cancelled: .failure(.cancelled)) { completion in
      Transfer(request, timers: timers).start(completion) {
        loader.dataTask(request.network(pool: name), delegate: $0)
      }
    }.get()
  }
}

private struct TaskCancellation: Cancellation {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}
