// snippet
import FetcherModel
import Testing
import VirtualTime

@MainActor struct SlowServerTests {
  private let png = Picture.placeholder.bytes

  /// Returns an environment whose server responds after two seconds.
  private func environment(_ runtime: ManualRuntime, _ limits: FetchLimits = FetchLimits()) -> FetchEnvironment {
    FetchEnvironment(
      bus: EventBus(runtime: runtime),
      strategy: .closure("slow") { [png] _, context in
        try await context.sleep(for: .seconds(2))
        return FetchedBody(bytes: png)
      }, limits: limits)
  }

  @Test func showsThePictureWhenItArrives() {
    let runtime = ManualRuntime()
    let page = SunsetPage(in: environment(runtime))
    runtime.advance(by: .milliseconds(1999))
    #expect(page.shown == nil && page.sunset.isFetching)
    runtime.advance(by: .milliseconds(1))
    #expect(page.shown?.bytes == png)
  }

  @Test func failsAtTheDeadline() {
    let runtime = ManualRuntime()
    let page = SunsetPage(in: environment(runtime, FetchLimits(deadline: .seconds(1))))
    runtime.advance(by: .seconds(1))
    #expect(page.sunset.state == .failed(.timedOut))
  }
}
// end
