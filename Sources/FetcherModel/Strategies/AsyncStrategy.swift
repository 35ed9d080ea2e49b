package import Scheduling

/// Fetches with async and await, using a continuation around a data task. Use it in async code.
///
/// - **thread**: blocks no thread; the calling task is suspended until the session's queue resumes it.
/// - **cancel**: cancelling the Swift task resumes it with `cancelled` and cancels the data task.
/// - **status**: known before the body, as with ``DataTaskStrategy``. Outside 200...299, the call throws.
/// - **progress**: reported after each piece, with the announced length, by a callback while the task is suspended.
/// - **memory**: holds the pieces received so far, up to the size limit.
/// - **connections**: uses a separate session; at most six connections to a host, kept for the next request.
///
/// Why not `try await session.data(for:)`? On Linux, cancelling that call can deadlock the process
/// (swift-corelibs-foundation #5412). `fetcher strategies --exhibit async-builtin` shows the deadlock. All platforms
/// use the same continuation, so that they behave the same.
package struct AsyncStrategy: FetchStrategy {
  /// `async`.
  package let name = StrategyName.async
  /// All capabilities: cancel, status, progress, redirects.
  package let capabilities = StrategyCapabilities.all(
    "async/await around a data task, because cancelling URLSession's own async call can deadlock on Linux")
  private let runtime: any Runtime
  private let loader: any DataTasks
  /// Runs the timer of ``Transfer``, which waits up to one second for the rest of an error page so that the connection
  /// can be reused.
  private let timers: any Scheduler

  /// Creates a strategy on the given network. The runtime starts its tasks and provides its timers.
  package init(runtime: any Runtime = DispatchRuntime.shared, loader: any DataTasks = SystemLoader.shared) {
    self.runtime = runtime
    self.loader = loader
    timers = runtime.serial("\(name) timers")
  }

  /// Returns the body at the request's URL. Cancelling the calling task throws `cancelled`.
  package func body(for request: FetchRequest) async throws(FetchError) -> FetchedBody {
    // status, progress, memory: `Transfer` applies the same rules to the data tasks of all strategies.
    let transfer = Transfer(request, timers: timers)
    return try await withTaskCancellationHandler {
      // thread: the task is suspended here, and its thread runs other tasks.
      await withCheckedContinuation { continuation in
        // Resumed exactly once, because the transfer completes once, with a result or a cancellation. A transfer that
        // was cancelled earlier completes here.
        transfer.start { result in
          continuation.resume(returning: result)
        } open: { transfer in
          // connections: the pool name selects a separate session. `DataTaskStrategy.swift` calls URLSession.
          loader.dataTask(request.network(pool: name), delegate: transfer)
        }
      }
    } onCancel: {
      // cancel: runs on the cancelling thread, possibly before the closure above. Cancels the data task.
      transfer.cancel()
    }.get()
  }

  /// Starts a task that awaits ``body(for:)``. Completes on the runtime's executor.
  package func fetch(
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

/// A handle for a Swift task.
struct TaskCancellation: Cancellation {
  let task: Task<Void, Never>

  func cancel() { task.cancel() }
}
