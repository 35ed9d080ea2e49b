import FetcherModel
import Foundation

// The whole pattern in one file: a model fetches a picture and posts ImageFetched on an event bus. A view subscribes when
// it appears, draws when the bus delivers, and cancels when it disappears. The strategy makes its own pictures, so there is
// no server and no network.

@MainActor final class PictureView {
  private let bus: EventBus
  private var image: IFImage?
  private var subscriptions: Set<Subscription> = []

  init(_ bus: EventBus) { self.bus = bus }

  func appear(with image: IFImage) {
    self.image = image
    // Subscribe first and read the state afterwards, so that no event is missed.
    bus.subscribe(to: ImageFetched.self, key: image.id, on: .main, name: "view") { [weak self] _ in self?.draw() }
      .store(in: &subscriptions)
    // Reading the image starts its fetch, unless the picture is there.
    draw()
  }

  func disappear() { subscriptions.removeAll() }

  private func draw() {
    guard let image else { return }
    print("view: draw \(image.image.isPlaceholder ? "the placeholder" : image.name)")
  }
}

@MainActor func firstLook() async throws {
  // The bus. Its trace shows every subscription, post and delivery of ImageFetched.
  let bus = EventBus(trace: { step in
    guard step.type == ImageFetched.self, let image = step.key as? ImageID else { return }
    switch step.kind {
    case .subscribed: print("bus:  \(step.name ?? "") subscribes to ImageFetched of \(image.name)")
    case .posted: print("bus:  the model posts ImageFetched of \(image.name)")
    case .delivering: print("bus:  deliver to \(step.name ?? "")")
    case .unhandled: print("bus:  no subscriber")
    case .cancelled: print("bus:  \(step.name ?? "") cancels")
    default: break
    }
  })

  // The model, with a strategy of its own: a closure that takes a tenth of a second and returns a GIF of one pixel.
  let pixel = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()
  let environment = FetchEnvironment(bus: bus)
  environment.strategy = ClosureStrategy("first-look") { _ in
    try await Task.sleep(for: .milliseconds(100))
    return FetchedBody(bytes: pixel)
  }
  let sunset = IFImage(name: "sunset", url: "https://example.org/sunset.gif", in: environment)
  let peaks = IFImage(name: "peaks", url: "https://example.org/peaks.gif", in: environment)
  let view = PictureView(bus)

  print("The view shows sunset.")
  view.appear(with: sunset)
  _ = try await sunset.load()
  view.disappear()

  print("The view shows peaks, and disappears before the picture arrives.")
  view.appear(with: peaks)
  view.disappear()
  _ = try await peaks.load()

  print("It shows peaks again, and draws what the model has.")
  view.appear(with: peaks)
  view.disappear()
}

try await firstLook()
