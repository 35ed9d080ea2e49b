import EventBus
import FetcherModel
import ModelFixtures
import Testing

// snippet
@MainActor final class SunsetPage {
  let sunset: IFImage
  private(set) var shown: Picture?
  private var subscription: Subscription?

  init(in environment: FetchEnvironment) {
    sunset = IFImage(name: "Sunset", url: "https://example.org/sunset.jpeg", in: environment)
    subscription = environment.bus.subscribe(to: ImageFetched.self, key: sunset.id, on: .main) { [weak self] event in
      self?.shown = event.picture
    }
    shown = sunset.startLoading()  // nil while the fetch is in flight
  }
}
// end

@Suite("The example in the overview") struct OverviewExample {
  @Test("A page shows its picture, and releasing the page ends the request") @MainActor func page() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, runtime: DispatchRuntime.shared)
    var page: SunsetPage? = SunsetPage(in: environment)
    #expect(page?.shown == nil)
    await strategy.begun(1)
    page = nil
    #expect(environment.requestCount == 0)
    #expect(environment.bus.subscriberCount(for: ImageFetched.self) == 0)

    page = SunsetPage(in: environment)
    strategy.endAll(with: Sample.png.bytes)
    while page?.shown == nil { await settle(environment) }
    #expect(page?.shown?.bytes == Sample.png.bytes)
  }
}
