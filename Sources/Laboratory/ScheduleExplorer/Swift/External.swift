import Dispatch
import Scheduling
import VirtualTime

/// A call that leaves Swift concurrency: `URLSession`, Dispatch, a thread.
///
/// Inside `exploreSwift` its answer is an item of the schedule, with a name: the call starts at once, and the schedule
/// decides when the answer gets in. Where it has not come by then, the search waits for it. Outside `exploreSwift` it is a
/// continuation, and no more.
///
/// ```swift
/// let bytes: Int = try await External.call("measure") { answer in
///   DispatchQueue.global().async { answer.resume(returning: 1024) }
/// }
/// ```
public struct External<Value: Sendable>: Sendable {
  private let answer: @Sendable (Result<Value, any Error>) -> Void

  /// Ends the call. Once, on any thread.
  public func resume(with result: Result<Value, any Error>) { answer(result) }

  /// Ends the call with a value. Once, on any thread.
  public func resume(returning value: Value) { answer(.success(value)) }

  /// Ends the call with an error. Once, on any thread.
  public func resume(throwing error: any Error) { answer(.failure(error)) }

  /// Calls out, and suspends until the answer gets in.
  ///
  /// - Parameters:
  ///   - name: what the report calls it.
  ///   - latency: how long the answer takes at least, in virtual time.
  ///   - isolation: where the caller runs; left out.
  ///   - start: makes the call, at once, on the calling thread. Whatever it starts answers once.
  /// - Throws: what the answer is.
  public static func call(
    _ name: String, after latency: Duration = .zero, isolation: isolated (any Actor)? = #isolation,
    _ start: (External) -> Void
  ) async throws -> Value {
    try await ExternalAnswer.value(name, after: latency) { answer in start(External(answer: answer)) }
  }

  /// Awaits a call outside the schedule, on threads of Dispatch, and suspends until the answer gets in: for the `async`
  /// functions of `URLSession`. The operation must touch no actor of the explored code.
  ///
  /// - Parameters:
  ///   - name: what the report calls it.
  ///   - latency: how long the answer takes at least, in virtual time.
  ///   - isolation: where the caller runs; left out.
  ///   - operation: runs on another thread, at once.
  /// - Throws: what the operation throws.
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

/// An answer from outside Swift concurrency, which an item of the run waits for.
package final class ExternalAnswer<Value: Sendable>: Sendable {
  private let stored = Locked<Result<Value, any Error>?>(nil)
  private let hasCome = DispatchSemaphore(value: 0)

  private init() {}

  /// Starts the call, and suspends until the schedule delivers the answer. Outside a run, it suspends until the answer arrives.
  package static func value(
    _ name: String, after latency: Duration, isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  ) async throws -> Value {
    guard let (session, run) = SwiftSession.currentRun else {
      return try await withCheckedThrowingContinuation { continuation in start { continuation.resume(with: $0) } }
    }
    let answer = ExternalAnswer()
    start { answer.arrive($0, name) }
    return try await withUnsafeThrowingContinuation { continuation in
      _ = run.runtime.network(name).schedule(after: latency) {
        guard session.await(answer.hasCome), let result = answer.stored.withLock({ $0 }) else {
          SwiftSession.currentRun?.run.problem = """
            the external call “\(name)” has not answered after \(session.patience).
            While it is waited for nothing else runs: what answers it must not need the program.
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
    if !isFirst { fatalError("The external call “\(name)” was answered twice.") }
    hasCome.signal()
  }
}
