// compiles
import FetcherModel

@MainActor final class Page {
  var shown = Picture.placeholder
  var subscriptions: Set<Subscription> = []
  var handle: (any Cancellation)?

  func show(_ image: IFImage, in environment: FetchEnvironment) {
    environment.bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { [weak self] in self?.shown = $0.picture
    }
    .store(in: &subscriptions)
    handle = image.load { [weak self] in self?.shown = (try? $0.get()) ?? .placeholder }
  }

  func read(_ bus: EventBus) async {
    for await event in bus.events(of: ImageFetched.self) { shown = event.picture }
  }
}
