import FetcherModel
import Foundation

// The whole pattern in one file: a model fetches a picture and posts ImageFetched on an event bus, with a strategy that is
// selected at run time. A view subscribes when it appears, draws when the bus delivers, and cancels when it disappears. The
// network is a simulation, so there is no server.

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

@MainActor func firstLook() async throws {
  // The bus. Its trace shows each post, and whether a subscriber gets the event.
  let bus = EventBus(trace: { step in
    guard let image = step.key as? ImageID, step.type == ImageFetched.self || step.type == ImageFetchFailed.self else {
      return
    }
    switch step.kind {
    case .posted: print("  bus:  the model posts \(step.type) of \(image.name)")
    case .unhandled: print("  bus:  no subscriber")
    default: break
    }
  })
  let environment = FetchEnvironment(bus: bus, loader: SimulatedNetwork())
  let view = PictureView(bus)

  for strategy in [.blocking, .dataTask, .downloadTask, .async] as [StrategyName] {
    try environment.select(strategy: strategy)
    print("\(strategy): the view appears, and stays until the picture arrives.")
    let sunset = IFImage(name: "sunset", url: "https://example.org/sunset.gif", in: environment)
    view.appear(with: sunset)
    _ = try await sunset.load()
    view.disappear()
  }

  print("The view disappears before the picture arrives. Later it draws what the model has.")
  let peaks = IFImage(name: "peaks", url: "https://example.org/peaks.gif", in: environment)
  view.appear(with: peaks)
  view.disappear()
  _ = try await peaks.load()
  view.appear(with: peaks)
  view.disappear()

  print("An address fails.")
  let nowhere = IFImage(name: "nowhere", url: "https://example.org/nowhere", in: environment)
  view.appear(with: nowhere)
  _ = try? await nowhere.load()
}

/// A network, which only targets of this package can replace, that sends a GIF of one pixel after a tenth of a second, and a 404 for any other name.
struct SimulatedNetwork: NetworkLoader {
  private let pixel = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()

  func contents(of url: URL) throws(NetworkError) -> Data {
    Thread.sleep(forTimeInterval: 0.1)
    return pixel
  }

  func dataTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    respond(to: request, delegate) { delegate.received(pixel) }
  }

  func downloadTask(_ request: NetworkRequest, delegate: any NetworkTaskDelegate) -> any Cancellation {
    respond(to: request, delegate) { delegate.downloaded(DownloadedFile(pixel)) }
  }

  private func respond(
    to request: NetworkRequest, _ delegate: any NetworkTaskDelegate, _ body: @escaping @Sendable () -> Void
  ) -> any Cancellation {
    DispatchRuntime.shared.serial("network").schedule(after: .milliseconds(100)) {
      let isFound = request.url.pathExtension == "gif"
      delegate.received(NetworkResponse(url: request.url, status: isFound ? 200 : 404))
      if isFound { body() }
      delegate.finished(nil)
    }
  }
}

try await firstLook()
