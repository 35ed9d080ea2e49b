import Dispatch
import Foundation
public import Testing

/// A trait that runs a suite outside Swift's cooperative thread pool.
///
/// The pool has one thread per core and runs jobs in FIFO order. A test that blocks such a thread delays every task of
/// the process, including the tasks of the code under test. Tests that block a thread for more than a second run on
/// dedicated threads.
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
  /// The suite computes for seconds. It shares one low-priority thread per core.
  public static var computing: Self { Self(executor: QueueExecutor.computing) }

  /// The suite mostly waits. It shares one high-priority thread per core.
  public static var waiting: Self { Self(executor: QueueExecutor.waiting) }
}

extension Trait where Self == AtOnce {
  /// The suite blocks its threads, for example in `recv`. Each job of a test runs on a new thread. At most two tests
  /// per core run concurrently, because a hundred blocked tests would contend for the locks of Swift's runtime and
  /// delay their timers.
  public static var blocking: Self { Self(seats: Seats.blocking, executor: BlockingExecutor.shared) }

  /// The suite has exit tests. Each job of a test runs on a new thread, and at most one test per core runs at a time.
  /// Swift Testing blocks a thread until the child process of an exit test ends.
  public static var childProcesses: Self { Self(seats: Seats.children, executor: BlockingExecutor.shared) }
}

extension Seats {
  private static let cores = ProcessInfo.processInfo.activeProcessorCount
  fileprivate static let blocking = Seats(2 * cores)
  fileprivate static let children = Seats(cores)
}

final class QueueExecutor: TaskExecutor {
  // Dispatch has separate threads for each of these classes. Other tests, workers, and servers use two other classes.
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
