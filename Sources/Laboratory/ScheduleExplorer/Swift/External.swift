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
