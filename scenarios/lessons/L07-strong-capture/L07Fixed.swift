import EventBus
import Lessons
import Synchronization

/// Shows a picture and the title that the bus announces.
final class TitledPage: L07.Program {
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

  func open(_ picture: String) {
    let next = bus.subscribe(to: L07.TitleChanged.self, on: .main) {
      [weak self] event in self?.show(event.title)
    }
    subscription.withLock { $0 = next }
    server.fetch(picture) { [weak self, runtime] answer in
      runtime.main.schedule { [weak self] in
        if case .success(let image) = answer { self?.show(image) }
      }
    }
  }

  private func show(_ text: String) { screen.show(text) }
}
