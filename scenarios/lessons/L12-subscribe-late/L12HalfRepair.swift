import EventBus
import Lessons
import Synchronization

/// Shows an album's title when the bus announces the album's arrival.
final class AlbumPage: L12.Program {
  private let runtime: any Runtime
  private let bus: EventBus
  private let server: PictureServer
  private let screen: Screen
  private let subscription = Mutex<Subscription?>(nil)

  init(
    runtime: any Runtime, bus: EventBus, server: PictureServer,
    screen: Screen
  ) {
    self.runtime = runtime
    self.bus = bus
    self.server = server
    self.screen = screen
  }

  func open(_ album: String) {
    // The page finishes sliding in before the answer arrives.
    runtime.workers.schedule { [self] in load(album) }
    runtime.main.schedule { [self] in
      listen()
    }
  }

  private func load(_ album: String) {
    server.fetch(album) { [bus] answer in
      guard case .success(let title) = answer else { return }
      bus.post(L12.AlbumArrived(title: title))
    }
  }

  private func listen() {
    let next = bus.subscribe(to: L12.AlbumArrived.self, on: .main) {
      [screen] in screen.show($0.title)
    }
    subscription.withLock { $0 = next }
  }
}
