import Dispatch
import Foundation
public import Testing

/// Runs a suite on other threads than those that the tests of a process share.
///
/// These are as many as the machine has cores, first come, first served. Behind hundreds of tests that compute, those that mostly
/// wait, for a network or a child process, would hardly get on, and be left alone in the end.
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
  /// The suite computes for seconds: on as many threads as there are cores, behind all others.
  public static var computing: Self { Self(executor: QueueExecutor.computing) }

  /// The suite mostly waits: on as many threads as there are cores, before all others.
  public static var waiting: Self { Self(executor: QueueExecutor.waiting) }

  /// The suite blocks its threads: on a thread for each test.
  public static var blocking: Self { Self(executor: BlockingExecutor.shared) }
}

final class QueueExecutor: TaskExecutor {
  // Dispatch has threads of their own for each of these classes, and tests, workers and servers have those of two others.
  static let computing = QueueExecutor("tests that compute", .utility)
  static let waiting = QueueExecutor("tests that wait", .userInteractive)

  private let queue: DispatchQueue

  private init(_ label: String, _ qos: DispatchQoS) {
    queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
  }

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
