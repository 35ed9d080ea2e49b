import FetcherModel
import Foundation

// A whole app in one file. It lists pictures, shows one on a page, cancels its fetch when the page disappears, sends a token,
// and switches the strategy while it runs:
//
//   TOKEN=secret TOKEN_HOST=example.org swift run Album https://example.org/sunset.png https://other.example/peaks.jpeg
//
// The token is sent to the named host only.
//
// Type `list`, `show 1`, `leave`, or the name of a strategy, such as `async`.

/// A page with one picture. Each page has an image of its own, so that `cancel()` does not end the fetch of another page.
@MainActor final class PicturePage {
  let image: IFImage
  private var subscriptions: Set<Subscription> = []

  init(_ image: IFImage) { self.image = image }

  func appear(on bus: EventBus) {
    bus.subscribe(to: ImageFetched.self, key: image.id, on: .main) { [weak self] event in
      self?.draw()
      print("  fetched by \(event.strategy)")
    }.store(in: &subscriptions)
    bus.subscribe(to: ImageFetchFailed.self, key: image.id, on: .main) { [weak self] _ in self?.draw() }
      .store(in: &subscriptions)
    image.startLoading()
    draw()
  }

  func disappear() {
    subscriptions.removeAll()
    // A loaded picture stays. Without this line, the fetch would continue, for the next time that the page appears.
    image.cancel()
  }

  /// The line that stands for the page on a screen.
  var text: String {
    switch image.state {
    case .idle: "\(image.name) is not loaded"
    case .fetching: "\(image.name) is loading"
    case .loaded(let picture): "\(image.name) has \(picture.width) × \(picture.height) pixels"
    case .failed(let error, _): error.message(for: image.name)
    }
  }

  private func draw() { print("  \(text)") }
}

let variables = ProcessInfo.processInfo.environment
let environment = FetchEnvironment(strategy: .dataTask, cache: ImageCache())
if let token = variables["TOKEN"], let host = HostName(variables["TOKEN_HOST"] ?? "") {
  environment.updateHeaders(for: host) { $0["Authorization"] = "Bearer \(token)" }
} else if variables["TOKEN"] != nil {
  print("TOKEN is not sent; TOKEN_HOST=example.org names the host that gets it")
}
let pages = CommandLine.arguments.dropFirst().map { address in
  PicturePage(
    IFImage(name: address.split(separator: "/").last.map(String.init) ?? address, url: address, in: environment))
}
var current: PicturePage?

/// The lines that the user types. Main stays free for events while it waits for the next one.
let lines = AsyncStream { continuation in
  Thread.detachNewThread {
    while let line = readLine() { continuation.yield(line) }
    continuation.finish()
  }
}

for await line in lines {
  let words = line.split(separator: " ").map(String.init)
  switch words.first {
  case "list":
    for (number, page) in pages.enumerated() { print("  \(number + 1) \(page.text)") }
  case "show":
    guard let number = words.last.flatMap({ Int($0) }), pages.indices.contains(number - 1) else {
      print("  show which picture? 1 to \(pages.count)")
      continue
    }
    current?.disappear()
    current = pages[number - 1]
    current?.appear(on: environment.bus)
  case "leave":
    current?.disappear()
    current = nil
  case let name?:
    // A fetch in flight keeps the strategy with which it started.
    do { try environment.select(StrategyName(name)) } catch { print("  \(error)") }
  case nil: break
  }
}
