import FetcherModel
import Foundation
import ModelFixtures
import TestMachine
import Testing

#if os(Linux)
  extension OwnProcesses {
    /// The `socket` strategy against a server that restarts.
    @Suite struct UnsteadyServerTests {
      private static let perCrowd = 100

      @Test(
        "Every fetch ends exactly once while nginx restarts",
        .enabled(if: UnsteadyNginx.isInstalled, "nginx, openssl or python3 is not installed"), .timeLimit(.minutes(20)))
      func socket() async {
        await #expect(processExitsWith: .success) {
          let count = LongTests.times(1000, long: 200_000)
          let watchdog = Watchdog(seconds: 1000 * ProcessCount.slowness, "\(count) fetches from an unsteady nginx")
          let nginx = try UnsteadyNginx(isSecure: false)
          let picture = try Data(contentsOf: UnsteadyNginx.picture)
          let workbench = try Workbench("socket")
          var (ends, recorders): ([String: Int], [EventRecorder]) = ([:], [])
          for crowd in 0..<(count / Self.perCrowd) {
            let images = (0..<Self.perCrowd).map {
              IFImage(name: "\($0)", url: "\(nginx.address)?\(crowd)-\($0)", in: workbench.environment)
            }
            let events = images.map { EventRecorder($0, in: workbench.environment) }
            for image in images { _ = image.image }
            for (image, recorder) in zip(images, events) {
              await recorder.ended()
              switch image.state {
              case .loaded(let loaded): ends[loaded.bytes == picture ? "fetched" : "another picture", default: 0] += 1
              case .failed(let error, _): ends["\(error.category) \(error)", default: 0] += 1
              default: ends["\(image.state)", default: 0] += 1
              }
            }
            // Check the previous group again, because a second terminal event would arrive after the first.
            recorders = recorders.suffix(Self.perCrowd) + events
            #expect(recorders.allSatisfy { $0.kinds.count == 2 })
          }
          let disturbances = nginx.stop()
          watchdog.stop()
          print("\(disturbances) reloads, kills of workers and restarts: \(ends)")
          let fetched = ends.removeValue(forKey: "fetched") ?? 0
          // The connection was refused, lost, or closed before or within the response.
          let causes = [FetchError.transport(-1004), .transport(-1005), .transport(-1011), .truncated]
          for cause in causes { ends["\(cause.category) \(cause)"] = nil }
          #expect(ends == [:])
          #expect(fetched > count / 10)
          // A short run can end before the first disturbance.
          #expect((disturbances.min() ?? -1) >= LongTests.times(0, long: 10))
        }
      }
    }
  }
#endif
