import EventBus
import FetcherModel
import Foundation
import ModelFixtures
import OriginServer
import TestMachine
import Testing

extension OwnProcesses {
  @Suite struct CancelMomentTests {
    /// Runs in a separate process, because `URLSession.data(for:)` would end it on Linux: Foundation traps if the
    /// cancelled task is missing from its registry.
    @Test(
      "A cancel near the end of a fetch neither crashes the process nor disables the strategy",
      arguments: Workbench.strategies.map(\.description))
    func aroundTheEnd(strategy: String) async {
      // The child writes its errors to this file, because the result of a failed process does not contain them.
      let words: String = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: words) }
      let result = await #expect(processExitsWith: .success, observing: [\.exitStatus]) {
        [strategy, words = words as String] in
        dup2(open(words, O_WRONLY | O_CREAT, 0o600), STDERR_FILENO)
        let rounds = LongTests.times(30, long: 5000)
        let timeout = (300 + rounds / 10) * ProcessCount.slowness
        let watchdog = Watchdog(seconds: timeout, "fetching and cancelling with \(strategy)")
        let soon = Duration.milliseconds(1)
        let workbench = try Workbench(
          StrategyName(strategy),
          [
            OriginRoute(path: "/picture", OriginResponse(body: .data(Sample.png.bytes), latency: soon)),
            OriginRoute(path: "/missing", OriginResponse(status: 404, body: .bytes(5000), latency: soon)),
            OriginRoute(path: "/closed", OriginResponse(latency: soon, fault: .closeBeforeHeaders)),
            OriginRoute(
              path: "/moved", OriginResponse(status: 302, headers: [("Location", "/picture")], latency: soon)),
          ])
        // No server listens on port 1.
        let addresses =
          ["/picture", "/missing", "/closed", "/moved"].map(workbench.address) + ["http://127.0.0.1:1/refused"]
        await withTaskGroup(of: Void.self) { group in
          for (pool, address) in addresses.enumerated() {
            group.addTask {
              for number in 0..<rounds {
                await fetchAndCancel(address, after: .microseconds((number * 5 + pool) % 30 * 100), workbench)
              }
            }
          }
        }
        watchdog.stop()
        let (image, _) = await workbench.fetch()
        precondition(image.image.bytes == Sample.png.bytes)
      }
      #expect(result != nil, "\((try? String(contentsOfFile: words, encoding: .utf8)) ?? "no words")")
    }
  }
}

private func fetchAndCancel(_ address: String, after delay: Duration, _ workbench: Workbench) async {
  let environment = workbench.environment
  let image = IFImage(name: address, url: address, in: environment)
  let events = EventRecorder(image, in: environment)
  _ = image.image
  let cancel = environment.runtime.workers.schedule(after: delay) { image.cancel() }
  await events.ended()
  cancel.cancel()
}
