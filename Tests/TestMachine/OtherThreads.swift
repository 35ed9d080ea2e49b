import Dispatch
import Foundation
public import Testing

/// Runs a suite on other threads than those that the tests of a process share.
///
/// These are as many as the machine has cores, first come, first served. Behind hundreds of tests that compute, or that block their
/// thread, those that mostly wait, for a network or a child process, would hardly get on, and be left alone in the end.
public struct OtherThreads: SuiteTrait, TestScoping {
  fileprivate let executor: any TaskExecutor

  /// Runs the suite on the threads.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == OtherThreads {
  /// The suite computes and never waits: on as many threads as there are cores, of a lower priority.
  public static var computing: Self { Self(executor: ComputingExecutor.shared) }

  /// The suite blocks its threads: on a thread for each test.
  public static var blocking: Self { Self(executor: BlockingExecutor.shared) }
}

private final class ComputingExecutor: TaskExecutor {
  static let shared = ComputingExecutor()

  private let queue = DispatchQueue(label: "tests that compute", qos: .utility, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

private final class BlockingExecutor: TaskExecutor {
  static let shared = BlockingExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
