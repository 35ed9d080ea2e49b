import EventBus
import Lessons
import Synchronization
import TestMachine
import Testing

/// Programs that check a condition before they schedule a closure on main.
@Suite(.computing) struct EarlyCheckTests {
  @Test("A view that checks its visibility in the network callback does not solve L06")
  func view() {
    let verdict = LessonVerdict(judging: L06.play(CallbackView.self))
    #expect(!verdict.failsAsTried)
    #expect(verdict.message == "the view changes after it has disappeared")
  }

  @Test("A page that compares its selection in the network callback solves L03")
  func page() {
    #expect(LessonVerdict(judging: L03.play(CallbackPage.self)).isSolved)
  }
}

/// A view that checks its visibility when the answer arrives, and not again on main.
private final class CallbackView: L06.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let isVisible = Mutex(false)

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    (self.runtime, self.server, self.screen) = (runtime, server, screen)
  }

  func appear(_ picture: String) {
    isVisible.withLock { $0 = true }
    server.fetch(picture) { [self] _ in
      guard isVisible.withLock({ $0 }) else { return }
      runtime.main.schedule { [self] in screen.show(picture) }
    }
  }

  func disappear() { isVisible.withLock { $0 = false } }
}

/// A page that compares its selection when the answer arrives, and not again on main.
private final class CallbackPage: L03.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let selected = Mutex("")

  init(runtime: any Runtime, server: PictureServer, screen: Screen) {
    (self.runtime, self.server, self.screen) = (runtime, server, screen)
  }

  func select(_ picture: String) {
    selected.withLock { $0 = picture }
    server.fetch(picture) { [self] answer in
      guard let image = try? answer.get(), selected.withLock({ $0 }) == picture else { return }
      runtime.main.schedule { [self] in screen.show(image) }
    }
  }
}
