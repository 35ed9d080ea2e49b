import EventBus
import FetcherModel
import ModelFixtures
import Testing

// snippet
@MainActor final class SunsetPage {
  private(set) var shown = Picture.placeholder
  private let sunset: IFImage
  private var subscription: Subscription?

  init(in environment: FetchEnvironment) {
    sunset = IFImage(name: "Sunset", url: "https://example.org/sunset.jpeg", in: environment)
    subscription = environment.bus.subscribe(to: ImageFetched.self, key: sunset.id, on: .main) { [weak self] event in
      self?.shown = event.picture
    }
    shown = sunset.image  // the placeholder; the fetch has begun
  }
}
// end

@Suite("The example in the overview") struct OverviewExample {
  @Test("A page shows its picture, and releasing the page ends the request") @MainActor func page() async {
    let strategy = HeldStrategy()
    let environment = FetchEnvironment.held(strategy, runtime: DispatchRuntime.shared)
    var page: SunsetPage? = SunsetPage(in: environment)
    #expect(page?.shown.isPlaceholder == true)
    await strategy.begun(1)
    page = nil
    #expect(environment.requestCount == 0)
    #expect(environment.bus.subscriberCount(for: ImageFetched.self) == 0)

    page = SunsetPage(in: environment)
    strategy.endAll(with: Sample.png.bytes)
    while page?.shown.isPlaceholder == true { await settle(environment) }
    #expect(page?.shown.bytes == Sample.png.bytes)
  }
}
