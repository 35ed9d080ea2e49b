import Dispatch
import Scheduling
import VirtualTime

/// A call that leaves Swift concurrency, for example to `URLSession`, Dispatch or a thread.
///
/// Inside `exploreSwift`, the call's result is a named item of the schedule. The call starts immediately, and the
/// schedule determines when the result is delivered. If the result has not arrived by then, the search waits for it.
/// Outside `exploreSwift`, the call is an ordinary continuation.
///
/// ```swift
/// let bytes: Int = try await External.call("measure") { answer in
///   DispatchQueue.global().async { answer.resume(returning: 1024) }
/// }
/// ```
public struct External<Value: Sendable>: Sendable {
  private let answer: @Sendable (Result<Value, any Error>) -> Void

  /// Completes the external call. Call this method once, on any thread.
  public func resume(with result: Result<Value, any Error>) { answer(result) }

  /// Completes the external call with a value. Call this method once, on any thread.
  public func resume(returning value: Value) { answer(.success(value)) }

  /// Completes the external call with an error. Call this method once, on any thread.
  public func resume(throwing error: any Error) { answer(.failure(error)) }

  /// Starts the call, and suspends until the result is delivered.
  ///
  /// - Parameters:
  ///   - name: the name of the call in the report.
  ///   - latency: the minimum virtual time until the result is delivered.
  ///   - isolation: the isolation of the caller. Omit it.
  ///   - start: a closure that starts the call. It runs immediately on the calling thread. Resume the call exactly
  ///     once.
  /// - Throws: the error with which the call ends.
  public static func call(
    _ name: String, after latency: Duration = .zero, isolation: isolated (any Actor)? = #isolation,
    _ start: (External) -> Void
  ) async throws -> Value {
    try await ExternalAnswer.value(name, after: latency) { answer in start(External(answer: answer)) }
  }

  /// Runs an operation outside the schedule, on Dispatch threads, and suspends until the result is delivered. Use it
  /// for the `async` functions of `URLSession`. The operation must not use any actor that belongs to the explored code.
  ///
  /// - Parameters:
  ///   - name: the name of the call in the report.
  ///   - latency: the minimum virtual time until the result is delivered.
  ///   - isolation: the isolation of the caller. Omit it.
  ///   - operation: the operation, which starts immediately on another thread.
  /// - Throws: the error that the operation throws.
  public static func call(
    _ name: String, after latency: Duration = .zero, isolation: isolated (any Actor)? = #isolation,
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await ExternalAnswer.value(name, after: latency) { answer in
      OutsideExecutor.start {
        let result: Result<Value, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        answer(result)
      }
    }
  }
}

/// The result of an external call, for which an item of the run waits.
package final class ExternalAnswer<Value: Sendable>: Sendable {
  private let stored = Locked<Result<Value, any Error>?>(nil)
  private let hasCome = DispatchSemaphore(value: 0)

  private init() {}

  /// Starts the call, and suspends until the schedule delivers the result. Outside a run, it suspends until the result
  /// arrives.
  package static func value(
    _ name: String, after latency: Duration, isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    guard let (session, run) = SwiftSession.currentRun else {
      return try await withCheckedThrowingContinuation { continuation in start { continuation.resume(with: $0) } }
    }
    let answer = ExternalAnswer()
    // The call may use queues and threads. Its result is the item.
    let wasInside = JobHooks.live?.enter(false) ?? false
    start { answer.arrive($0, name) }
    if wasInside { _ = JobHooks.live?.enter(true) }
    return try await withUnsafeThrowingContinuation { continuation in
      _ = run.runtime.network(name).schedule(after: latency) {
        guard session.await(answer.hasCome), let result = answer.stored.withLock({ $0 }) else {
          SwiftSession.currentRun?.run.problem = """
            the external call “\(name)” has not returned after \(session.watchdog.timeout).
            While the search waits for this call, it runs no other job. The code that completes the call must \
            therefore not wait for the explored code.
            """
          return
        }
        continuation.resume(with: result)
      }
    }
  }

  private func arrive(_ result: Result<Value, any Error>, _ name: String) {
    let isFirst = stored.withLock { stored in
      guard stored == nil else { return false }
      stored = result
      return true
    }
    if !isFirst { fatalError("The external call “\(name)” completed twice.") }
    hasCome.signal()
  }
}
