public import EventBus

/// Fetches with async and await: a continuation over a data task.
///
/// - **thread**: blocks none; the task suspends, and resumes on the runtime's executor.
/// - **cancel**: cancelling the Swift task cancels the data task and throws `cancelled` at once.
/// - **status**: as ``DataTaskStrategy``: known before the body; one outside 200...299 is thrown.
/// - **progress**: as ``DataTaskStrategy``: a callback after each piece, while the task is suspended.
/// - **memory**: as ``DataTaskStrategy``: the pieces so far, up to the size limit.
/// - **connections**: its own session: at most six to a host, kept for the next request.
///
/// Why not `try await session.data(for:)`? On Linux, cancelling it can deadlock the process (swift-corelibs-foundation #5412).
/// `fetcher strategies --exhibit async-builtin` shows the deadlock. So this bridge is used on all platforms.
public struct AsyncStrategy: FetchStrategy {
  /// `async`.
  public let name = "async"
  /// Everything: cancel, status, progress, redirects.
  public let capabilities = StrategyCapabilities.all(
    "async/await over a continuation of its own, as the built-in call deadlocks on cancel")
  private let runtime: any Runtime
  private let loader: any DataTasks
  /// Where ``Transfer`` waits a second for the page of an error, which keeps the connection.
  private let timers: any Scheduler

  /// A strategy on the given network, whose tasks the runtime starts.
  public init(runtime: any Runtime = DispatchRuntime.shared, loader: any DataTasks = SystemLoader.shared) {
    self.runtime = runtime
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// The body behind the request's URL. Cancelling the calling task throws `cancelled`.
  public func body(for request: FetchRequest) async throws(FetchError) -> FetchedBody {
    // status, progress, memory: the rules of Transfer, which hold for a data task of any strategy.
    let transfer = Transfer(request, timers: timers)
    return try await withTaskCancellationHandler {
      // thread: the task suspends here; its thread runs other tasks.
      await withCheckedContinuation { continuation in
        // Resumed exactly once: the transfer completes once, with the result or a cancel, even one that came before this line.
        transfer.start { result in
          continuation.resume(returning: result)
        } open: { transfer in
          // connections: a pool of this name, so a session beside that of `dataTask`.
          loader.dataTask(request.network(pool: name), delegate: transfer)
        }
      }
    } onCancel: {
      // cancel: runs at once on the thread that cancels, perhaps before the closure above.
      transfer.cancel()
    }.get()
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
}

/// The handle of a Swift task.
struct TaskCancellation: Cancellation {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}
