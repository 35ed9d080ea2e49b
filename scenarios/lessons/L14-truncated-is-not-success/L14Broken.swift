import EventBus
import Lessons
import Synchronization

/// Assembles a picture from the pieces of an answer.
final class PictureReceiver: L14.Program {
  private let runtime: any Runtime
  private let screen: Screen
  private let data = Mutex("")

  init(runtime: any Runtime, screen: Screen) {
    self.runtime = runtime
    self.screen = screen
  }

  func began(_ length: Int) {
    data.withLock { $0.reserveCapacity(length) }
  }

  func received(_ bytes: String) {
    data.withLock { $0 += bytes }
  }

  func closed() {
    runtime.main.schedule { [self] in show(data.withLock { $0 }) }
  }

  /// Runs on main.
  private func show(_ data: String) {
    guard !data.isEmpty else { return screen.show("error") }
    screen.show(data)
  }
}
