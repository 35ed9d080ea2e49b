import FetcherModel
import Foundation

// The whole pattern in one file: a model fetches a picture and posts ImageFetched on an event bus, with a strategy that is
// selected at run time. A view subscribes when it appears, draws when the bus delivers, and cancels when it disappears.
// The server is a simulation. To use the network instead, select `.dataTask` or `.async`.

@MainActor final class PictureView {
  private let bus: EventBus
  private var image: IFImage?
  private var subscriptions: Set<Subscription> = []

  init(_ bus: EventBus) { self.bus = bus }

  func appear(with image: IFImage) {
    self.image = image
    // Subscribe first and read the state afterwards, so that no event is missed.
    bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { [weak self] _ in self?.draw() }
      .store(in: &subscriptions)
    bus.subscribe(to: ImageFetchFailed.self, key: image.id, on: .main) { [weak self] _ in self?.draw() }
      .store(in: &subscriptions)
    // Starts a fetch, unless the picture is there.
    image.startLoading()
    draw()
  }

  func disappear() { subscriptions.removeAll() }

  private func draw() {
    switch image?.state {
    case .loaded: print("  view: draw \(image?.name ?? "")")
    case .failed(let error, _): print("  view: \(error.message(for: image?.name))")
    default: print("  view: draw the placeholder")
    }
  }
}

/// Responds with a picture of one pixel, or with a 404 for a name that does not end in `.png`.
func response(to request: FetchRequest) throws -> FetchedBody {
  guard request.url.pathExtension == "png" else { throw FetchError.badStatus(404) }
  return FetchedBody(bytes: Picture.placeholder.bytes)
}

/// Three ways to wait a tenth of a second for the response: on a thread, for a callback, and in a task.
let strategies: [StrategyFactory] = [
  .closure("thread") { request in
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        Thread.sleep(forTimeInterval: 0.1)
        continuation.resume(with: Result { try response(to: request) })
      }
    }
  },
  .closure("callback") { request in
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) {
        continuation.resume(with: Result { try response(to: request) })
      }
    }
  },
  .closure("task") { request in
    try await Task.sleep(for: .milliseconds(100))
    return try response(to: request)
  },
]

let bus = EventBus(trace: { step in
  guard case .posted = step.kind, let image = step.key as? ImageID else { return }
  print("  bus:  the model posts \(step.type) of \(image.name)")
})
let environment = FetchEnvironment(bus: bus)
let view = PictureView(bus)

for strategy in strategies {
  environment.register(strategy, selects: true)
  print("\(environment.strategy.name): the view appears, and stays until the picture arrives.")
  let sunset = IFImage(name: "sunset", url: "https://example.org/sunset.png", in: environment)
  view.appear(with: sunset)
  _ = try await sunset.load()
  view.disappear()
}

print("The view disappears before the picture arrives. Later it draws what the model has.")
let peaks = IFImage(name: "peaks", url: "https://example.org/peaks.png", in: environment)
view.appear(with: peaks)
view.disappear()
_ = try await peaks.load()
view.appear(with: peaks)
view.disappear()

print("An address fails.")
let nowhere = IFImage(name: "nowhere", url: "https://example.org/nowhere", in: environment)
view.appear(with: nowhere)
_ = try? await nowhere.load()
