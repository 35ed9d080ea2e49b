import EventBus
import FetcherModel
import Foundation
import OriginServer
import TestMachine
import Testing

extension NetworkSuite {
  @Suite struct CancelMomentTests {
    /// In a process of its own, as this ends the process of who uses `URLSession.data(for:)` on Linux: there Foundation traps
    /// when it looks for the cancelled task in its registry and does not find it.
    @Test(
      "A cancel around the moment of the end ends neither the process nor the strategy, whatever the end would be",
      arguments: Laboratory.strategies)
    func aroundTheEnd(strategy: String) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [strategy] in
        let watchdog = Watchdog(seconds: 60 * ProcessCount.slowness, "fetching and cancelling with \(strategy)")
        let soon = Duration.milliseconds(1)
        let laboratory = try Laboratory(
          strategy,
          [
            OriginRoute(path: "/picture", OriginResponse(body: .data(Sample.png.bytes), latency: soon)),
            OriginRoute(path: "/missing", OriginResponse(status: 404, body: .bytes(5000), latency: soon)),
            OriginRoute(path: "/closed", OriginResponse(latency: soon, fault: .closeBeforeHeaders)),
            OriginRoute(
              path: "/moved", OriginResponse(status: 302, headers: [("Location", "/picture")], latency: soon)),
          ])
        let gone = try OriginServer(content: OriginContent())
        let addresses =
          ["/picture", "/missing", "/closed", "/moved"].map(laboratory.address)
          + [gone.baseURL.absoluteString + "refused"]
        gone.stop()
        await withTaskGroup(of: Void.self) { group in
          for (lane, address) in addresses.enumerated() {
            group.addTask {
              for number in 0..<(LongTests.areEnabled ? 5000 : 200) {
                await fetchAndCancel(address, after: .microseconds((number * 5 + lane) % 30 * 100), laboratory)
              }
            }
          }
        }
        watchdog.stop()
        let (image, _) = await laboratory.fetch()
        precondition(image.image.bytes == Sample.png.bytes)
      }
      let notes = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
      #expect(notes == "")
    }
  }
}

private func fetchAndCancel(_ address: String, after delay: Duration, _ laboratory: Laboratory) async {
  let environment = laboratory.environment
  let image = IFImage(address, address, in: environment)
  let events = EventRecorder(image, in: environment)
  _ = image.image
  let cancel = environment.runtime.workers.schedule(after: delay) { image.cancel() }
  await events.ended()
  cancel.cancel()
}
