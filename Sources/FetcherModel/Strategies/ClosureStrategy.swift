import Foundation
package import Scheduling

extension StrategyFactory {
  /// Creates a strategy from an async closure, which runs in a separate task for each fetch, on the runtime of the
  /// environment.
  ///
  /// The strategy fulfills the contract of ``FetchStrategy`` for the closure. It completes only once, supports
  /// cancellation before, during or after the closure, and enforces the size limit and a success status.
  ///
  /// ```swift
  /// let environment = FetchEnvironment(
  ///   strategy: .closure("folder") { request in
  ///     let file = pictures.appendingPathComponent(request.url.lastPathComponent)
  ///     guard let bytes = try? Data(contentsOf: file) else { throw FetchError.badStatus(404) }
  ///     return FetchedBody(bytes: bytes)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name under which the strategy is registered.
  ///   - capabilities: the closure's capabilities. By default, it loads https and has no other capability. A closure
  ///     that sends the header fields of its request declares `sendsHeaders`; otherwise, a request that has some fails
  ///     with ``FetchError/headersUnsent(strategy:)``, because a token would be lost without a message.
  ///   - body: a closure that performs a fetch. Cancelling the fetch completes it immediately with `cancelled`, and
  ///     cancels the closure's task. A ``FetchError`` is passed on. A `URLError` is converted by
  ///     ``NetworkError/asFetchError``, for example to `timedOut` or `transport`. Any other error becomes
  ///     `strategyFailed`.
  public static func closure(
    _ name: StrategyName, capabilities: StrategyCapabilities = StrategyCapabilities(note: "an async closure"),
    _ body: @escaping @Sendable (FetchRequest) async throws -> FetchedBody
  ) -> StrategyFactory {
    StrategyFactory { ClosureStrategy(name, capabilities: capabilities, runtime: $0.runtime, body) }
  }

  /// Creates a strategy from an async closure that sends its requests with another strategy, or waits on the runtime of
  /// the environment. In all else, it works like ``closure(_:capabilities:_:)``.
  ///
  /// ```swift
  /// let slow = StrategyFactory.closure("slow") { request, context in
  ///   try await context.sleep(for: .seconds(2))
  ///   return try await context.strategy(.dataTask).fetch(request)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name under which the strategy is registered.
  ///   - capabilities: the closure's capabilities. By default, it loads https, and sends header fields, because a
  ///     request that it passes on keeps them.
  ///   - body: a closure that performs a fetch with the context of its environment.
  public static func closure(
    _ name: StrategyName,
    capabilities: StrategyCapabilities = StrategyCapabilities(
      sendsHeaders: true, note: "an async closure that uses other strategies"),
    inContext body: @escaping @Sendable (FetchRequest, StrategyContext) async throws -> FetchedBody
  ) -> StrategyFactory {
    StrategyFactory { context in
      ClosureStrategy(name, capabilities: capabilities, runtime: context.runtime) { try await body($0, context) }
    }
  }
}

/// A strategy that runs an async closure. An environment creates it with
/// ``StrategyFactory/closure(_:capabilities:_:)``.
package struct ClosureStrategy: FetchStrategy {
  /// The name under which the strategy is selected.
  package let name: StrategyName
  /// The capabilities passed to the initializer.
  package let capabilities: StrategyCapabilities
  private let runtime: any Runtime
  private let body: @Sendable (FetchRequest) async throws -> FetchedBody

  /// - Parameter runtime: the runtime that starts the tasks.
  package init(
    _ name: StrategyName, capabilities: StrategyCapabilities = StrategyCapabilities(note: "an async closure"),
    runtime: any Runtime,
    _ body: @escaping @Sendable (FetchRequest) async throws -> FetchedBody
  ) {
    self.name = name
    self.capabilities = capabilities
    self.runtime = runtime
    self.body = body
  }

  /// Starts a task. Cancelling the fetch completes it immediately with `cancelled` and cancels the task.
  package func fetch(
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
