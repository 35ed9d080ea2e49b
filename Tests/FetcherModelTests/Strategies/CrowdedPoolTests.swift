import EventBus
import FetcherModel
import Foundation
import TestMachine
import Testing

extension NetworkSuite {
  @Suite struct CrowdedPoolTests {
    /// Computes on every thread of the cooperative pool until the test ends. Threads that compute, unlike blocked ones, do not make
    /// Dispatch start another.
    private final class Hogs: Sendable {
      private let isReleased = Locked(false)
      /// Whether a hog ended before its release. Other tests of the process may need the pool before this one can go on.
      let gaveUp = Locked(false)

      func hold() {
        let end = ContinuousClock.now + .seconds(20)
        while !isReleased.withLock({ $0 }) {
          guard ContinuousClock.now < end else { return gaveUp.withLock { $0 = true } }
        }
      }

      func release() { isReleased.withLock { $0 = true } }
    }

    @Test("async completes while other tests hold every pool thread")
    func everyThread() async throws {
      let laboratory = try Laboratory("async")
      let hogs = Hogs()
      let (started, starts) = AsyncStream.makeStream(of: Void.self)
      let cores = ProcessInfo.processInfo.activeProcessorCount
      for _ in 0..<cores {
        Task.detached(executorPreference: globalConcurrentExecutor) {
          starts.yield()
          hogs.hold()
        }
      }
      for await _ in started.prefix(cores) {}
      let url = try #require(URL(string: laboratory.address("/a.png")))
      let result = await withCheckedContinuation { continuation in
        _ = laboratory.environment.strategy.fetch(FetchRequest(url: url)) { continuation.resume(returning: $0) }
      }
      hogs.release()
      #expect(try result.get().bytes.count > 0)
      #expect(!hogs.gaveUp.withLock { $0 })
    }
  }
}
