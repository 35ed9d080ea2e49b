import FetcherModel
import FetcherViews
import Foundation

// The whole pattern in one file: a model fetches a picture and posts ImageFetched on an event bus, and a view that
// subscribes while it is visible draws the picture. No server and no network: the strategy makes its own pictures.

/// A GIF of one pixel.
let pixel = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()

@MainActor func firstLook() async {
  // The bus. Its trace shows every post and every delivery.
  let bus = EventBus(trace: { step in
    guard step.type == ImageFetched.self else { return }
    switch step.kind {
    case .subscribed: print("bus:  a view subscribes to ImageFetched")
    case .posted: print("bus:  the model posts ImageFetched")
    case .delivering: print("bus:  deliver to \(step.name ?? "")")
    case .unhandled: print("bus:  no subscriber")
    case .cancelled: print("bus:  the view cancels its subscription")
    default: break
    }
  })

  // The model, with a strategy of its own: a closure that takes a tenth of a second.
  let environment = FetchEnvironment(bus: bus)
  environment.strategy = ClosureStrategy("first-look") { _ in
    try await Task.sleep(for: .milliseconds(100))
    return FetchedBody(bytes: pixel)
  }
  let sunset = IFImage(name: "sunset", url: "https://example.org/sunset.gif", in: environment)
  let peaks = IFImage(name: "peaks", url: "https://example.org/peaks.gif", in: environment)

  // The view. It draws when the bus delivers an event for its picture.
  let view = ImageViewController(in: environment, name: "view") { screen in
    print("view: draw \(screen.picture.map { $0.isPlaceholder ? "the placeholder" : "the picture" } ?? "nothing")")
  }

  print("The view appears and shows sunset.")
  view.show(sunset)
  view.viewWillAppear()
  _ = try? await sunset.load()

  print("The view shows peaks, and disappears before the picture arrives.")
  view.show(peaks)
  view.viewWillDisappear()
  _ = try? await peaks.load()

  print("It appears again, and draws what the model has.")
  view.viewWillAppear()
  view.viewWillDisappear()
}

await firstLook()
