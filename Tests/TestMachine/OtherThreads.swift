import Dispatch
import Foundation
public import Testing

/// Runs a suite outside Swift's cooperative thread pool.
///
/// The pool has one thread per core and runs jobs first come, first served. A test that holds such a thread delays every task of the
/// process, also the tasks of the code under test. Tests that hold a thread for more than a second run on dedicated threads.
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

/// Runs each test of a suite on a dedicated thread, a few tests at a time.
///
/// Without the limit, a hundred blocked tests fight for the locks of Swift's runtime: under the thread sanitizer their timers come late.
public struct DedicatedThreads: SuiteTrait, TestTrait, TestScoping {
  private static let cores = ProcessInfo.processInfo.activeProcessorCount
  fileprivate static let blockingSeats = Seats(2 * cores)
  fileprivate static let childSeats = Seats(cores)

  fileprivate let seats: Seats

  /// Applies to each test, not to the suite as a whole.
  public var isRecursive: Bool { true }

  /// Waits for a free seat, then runs the test on its thread.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await seats.take {
      try await withTaskExecutorPreference(BlockingExecutor.shared) { try await function() }
    }
  }
}

extension Trait where Self == DedicatedThreads {
  /// The suite blocks its threads, such as in `recv`. At most two tests per core run at once.
  public static var blocking: Self { Self(seats: Self.blockingSeats) }

  /// The suite has exit tests. At most one test per core runs at once: Swift Testing blocks a thread until the child process of an exit
  /// test ends.
  public static var childProcesses: Self { Self(seats: Self.childSeats) }
}

final class QueueExecutor: TaskExecutor {
  // Dispatch keeps separate threads for each of these classes. Tests, workers and servers use two others.
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
