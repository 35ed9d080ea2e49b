import Dispatch
import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import Testing

extension OwnProcesses {
  /// A suite in a child process, because a test that occupies every pool thread would wait for other tests and block them.
  @Suite struct CrowdedPoolTests {
    /// A load on every thread of the cooperative pool until `release()`. Dispatch starts another thread for a blocked
    /// one, but not for one that computes.
    private final class Hogs: Sendable {
      private let isReleased = Locked(false)
      /// Whether a hog ended before its release, so that the fetch had a pool thread after all.
      let gaveUp = Locked(false)

      /// Returns when every pool thread computes.
      func start() {
        let started = DispatchSemaphore(value: 0)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        for _ in 0..<cores {
          Task.detached(executorPreference: globalConcurrentExecutor) { [self] in
            started.signal()
            hold()
          }
        }
        for _ in 0..<cores { started.wait() }
      }

      func release() { isReleased.withLock { $0 = true } }

      private func hold() {
        let end = ContinuousClock.now + .seconds(60)
        while !isReleased.withLock({ $0 }) {
          guard ContinuousClock.now < end else { return gaveUp.withLock { $0 = true } }
        }
      }
    }

    @Test("The async strategy completes while other work occupies every pool thread") func everyThread() async {
      await #expect(processExitsWith: .success) {
        let workbench = try Workbench("async")
        let request = FetchRequest(url: try #require(URL(string: workbench.address("/a.png"))))
        let strategy = workbench.environment.strategy
        let hogs = Hogs()
        let result = await withCheckedContinuation { continuation in
          // The hogs leave no pool thread for this wait.
          Thread.detachNewThread {
            hogs.start()
            let ended = DispatchSemaphore(value: 0)
            let result = Locked<Result<FetchedBody, FetchError>?>(nil)
            _ = strategy.fetch(request) { end in
              result.withLock { $0 = end }
              ended.signal()
            }
            ended.wait()
            hogs.release()
            continuation.resume(returning: result.withLock { $0 })
          }
        }
        #expect(try #require(result).get().bytes.count > 0)
        #expect(!hogs.gaveUp.withLock { $0 })
      }
    }
  }
}
