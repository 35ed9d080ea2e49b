public import EventBus
import Foundation

/// A strategy that runs an async closure.
///
/// ```swift
/// let folder = ClosureStrategy("folder") { request in
///   let file = pictures.appendingPathComponent(request.url.lastPathComponent)
///   guard let bytes = try? Data(contentsOf: file) else { throw FetchError.badStatus(404) }
///   return FetchedBody(bytes: bytes)
/// }
/// ```
///
/// The strategy fulfills the contract of ``FetchStrategy`` for the closure. It completes only once, supports
/// cancellation before, during or after the closure, and enforces the size limit and a success status.
public struct ClosureStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  public let name: StrategyName
  /// The capabilities passed to the initializer.
  public let capabilities: StrategyCapabilities
  private let runtime: any Runtime
  private let body: @Sendable (FetchRequest) async throws -> FetchedBody

  /// Creates a strategy that runs `body` in a separate task for each fetch.
  ///
  /// - Parameters:
  ///   - name: the name under which it is registered.
  ///   - capabilities: the closure's capabilities. By default, it loads https and sends header fields, and has no other
  ///     capability.
  ///   - runtime: the runtime that starts the tasks.
  ///   - body: a closure that performs a fetch. Cancelling the fetch cancels the closure's task. A `URLError` is
  ///     converted by ``NetworkError/asFetchError``, for example to `timedOut` or `transport`. Any other error becomes
  ///     `strategyFailed`.
  public init(
    _ name: StrategyName,
    capabilities: StrategyCapabilities = StrategyCapabilities(note: "an async closure"),
    runtime: any Runtime = DispatchRuntime.shared,
    _ body: @escaping @Sendable (FetchRequest) async throws -> FetchedBody
  ) {
    self.name = name
    self.capabilities = capabilities
    self.runtime = runtime
    self.body = body
  }

  /// Starts a task. Cancelling the fetch completes it immediately with `cancelled` and cancels the task.
  public func fetch(
    _ request: FetchRequest, completion: @escaping @Sendable (Result<FetchedBody, FetchError>) -> Void
  ) -> any Cancellation {
    let once = OneShot<Result<FetchedBody, FetchError>>(cancelled: .failure(.cancelled))
    _ = once.start(completion)
    once.hold(TaskCancellation(task: runtime.task { once.endWork(await result(of: request)) }))
    return once
  }

  private func result(of request: FetchRequest) async -> Result<FetchedBody, FetchError> {
    do {
      let fetched = try await body(request)
      if let status = fetched.status, !(200..<300).contains(status) { return .failure(.badStatus(status)) }
      return fetched.bytes.count <= request.limits.maximumBytes ? .success(fetched) : .failure(.tooLarge)
    } catch let error as FetchError {
      return .failure(error)
    } catch is CancellationError {
      return .failure(.cancelled)
    } catch let error as URLError {
      return .failure(NetworkError(code: error.code.rawValue).asFetchError)
    } catch let error as NetworkError {
      return .failure(error.asFetchError)
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      return .failure(.strategyFailed(name, reason: reason.withoutSecrets))
    }
  }
}
