import Dispatch
import Scheduling
import VirtualTime

/// An answer from outside Swift concurrency, which an item of the run waits for.
package final class ExternalAnswer<Value: Sendable>: Sendable {
  private let stored = Locked<Result<Value, any Error>?>(nil)
  private let hasCome = DispatchSemaphore(value: 0)

  private init() {}

  /// Calls out, and suspends until the schedule lets the answer in. Outside a run, until the answer comes.
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

/// Runs tasks on the threads of Dispatch, whatever the process's executors are.
package final class OutsideExecutor: TaskExecutor {
  private static let shared = OutsideExecutor()
  /// Whether the running task was started here: what it leaves to the process's executors is theirs.
  @TaskLocal static var isOutside = false

  package static func start(_ operation: @escaping @Sendable () async -> Void) {
    Task.detached(executorPreference: shared) { await $isOutside.withValue(true, operation: operation) }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
