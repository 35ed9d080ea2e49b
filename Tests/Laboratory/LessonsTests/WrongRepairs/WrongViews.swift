import EventBus
import Lessons

extension WrongRepair {
  /// Wrong repairs of the lessons about views, staleness and cancellation.
  static let views = [
    WrongRepair("drops a failure", L01.play(DropsFailure.self), "“no picture” at 1.1"),
    WrongRepair("shows the selected picture", L03.play(ShowsSelection.self), "but the server has not sent it"),
    WrongRepair("the greatest answer wins", L03.play(GreatestWins.self), "is selected, but"),
    WrongRepair("special-cases two names", L03.play(KnowsNames.self), "must show"),
    WrongRepair("an answer counts once", L03.play(FirstAnswerOnly.self), "must show"),
    WrongRepair("special-cases a name", L06.play(HidesOne.self), "must show"),
    WrongRepair("tests before it schedules", L06.play(EarlyTest.self), "after it has disappeared"),
    WrongRepair("holds the lock while it schedules", L06.play(TestUnderLock.self), "after it has disappeared"),
    WrongRepair("leaks for one hour", L07.play(LeaksForAnHour.self), "not released at once"),
    WrongRepair("keeps the first title", L07.play(OneTitle.self), "must show"),
    WrongRepair("special-cases two names", L08.play(CancelsTwoNames.self), "is still loading"),
    WrongRepair("cancels every other request", L08.play(CancelsLast.self), "still loading"),
    WrongRepair("never cancels the request", L13.play(NeverCancels.self), "its request is still in flight"),
    WrongRepair("ends without a failure", L13.play(IgnoresFailure.self), "“failed” at 1.1"),
  ]
}

private final class DropsFailure: L01.Program {
  private let runtime: any Runtime
  private let server: PictureServer
  private let screen: Screen
  private let cached: [String: String]

  init(runtime: any Runtime, server: PictureServer, screen: Screen, cached: [String: String]) {
    (self.runtime, self.server, self.screen, self.cached) = (runtime, server, screen, cached)
  }

  func select(_ picture: String) {
    if let image = cached[picture] { return screen.show(image) }
    server.fetch(picture) { [self] answer in
      guard case .success(let image) = answer else { return }
      runtime.main.schedule { [self] in screen.show(image) }
    }
  }
}

private final class ShowsSelection: OnScreen, L03.Program, @unchecked Sendable {
  private var selected = ""

  func select(_ picture: String) {
    selected = picture
    server.fetch(picture) { [self] _ in onMain { [self] in screen.show(selected) } }
  }
}

private final class GreatestWins: OnScreen, L03.Program, @unchecked Sendable {
  private var shown = ""

  func select(_ picture: String) {
    server.fetch(picture) { [self] answer in
      onMain { [self] in
        guard let image = try? answer.get(), image >= shown else { return }
        shown = image
        screen.show(image)
      }
    }
  }
}

private final class KnowsNames: OnScreen, L03.Program, @unchecked Sendable {
  private var selected = ""

  func select(_ picture: String) {
    selected = picture
    server.fetch(picture) { [self] answer in
      onMain { [self] in
        guard let image = try? answer.get(), !(picture == "A" && selected == "B") else { return }
        screen.show(image)
      }
    }
  }
}

private final class FirstAnswerOnly: OnScreen, L03.Program, @unchecked Sendable {
  private var selected = ""
  private var shown: Set<String> = []

  func select(_ picture: String) {
    selected = picture
    server.fetch(picture) { [self] answer in
      onMain { [self] in
        guard let image = try? answer.get(), selected == picture, shown.insert(picture).inserted else { return }
        screen.show(image)
      }
    }
  }
}

private final class HidesOne: OnScreen, L06.Program, @unchecked Sendable {
  private var isVisible = false

  func appear(_ picture: String) {
    isVisible = true
    server.fetch(picture) { [self] answer in
      onMain { [self] in
        guard let image = try? answer.get(), picture != "A" || isVisible else { return }
        screen.show(image)
      }
    }
  }

  func disappear() { isVisible = false }
}

private final class EarlyTest: OnScreen, L06.Program, @unchecked Sendable {
  private var isVisible = false

  func appear(_ picture: String) {
    isVisible = true
    server.fetch(picture) { [self] answer in
      guard let image = try? answer.get(), isVisible else { return }
      onMain { [self] in screen.show(image) }
    }
  }

  func disappear() { isVisible = false }
}

private final class TestUnderLock: OnScreen, L06.Program, @unchecked Sendable {
  private let isVisible = Locked(false)

  func appear(_ picture: String) {
    isVisible.withLock { $0 = true }
    server.fetch(picture) { [self] answer in
      guard let image = try? answer.get() else { return }
      isVisible.withLock { isVisible in
        guard isVisible else { return }
        onMain { [self] in screen.show(image) }
      }
    }
  }

  func disappear() { isVisible.withLock { $0 = false } }
}

/// A program that shows titles until an hour after it is opened, because a timer keeps it alive.
private final class LeaksForAnHour: L07.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let bus: EventBus
  private let server: PictureServer
  private let screen: Screen
  private var subscription: Subscription?

  init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen) {
    (self.runtime, self.bus, self.server, self.screen) = (runtime, bus, server, screen)
  }

  func open(_ picture: String) {
    subscription = bus.subscribe(to: L07.TitleChanged.self, on: .main) { [weak self] in self?.screen.show($0.title) }
    _ = runtime.main.schedule(after: .seconds(3600)) { [self] in subscription = nil }
    server.fetch(picture) { [weak self, runtime] answer in
      runtime.main.schedule { [weak self] in if let image = try? answer.get() { self?.screen.show(image) } }
    }
  }
}

private final class OneTitle: L07.Program, @unchecked Sendable {
  private let runtime: any Runtime
  private let bus: EventBus
  private let server: PictureServer
  private let screen: Screen
  private var subscription: Subscription?

  init(runtime: any Runtime, bus: EventBus, server: PictureServer, screen: Screen) {
    (self.runtime, self.bus, self.server, self.screen) = (runtime, bus, server, screen)
  }

  func open(_ picture: String) {
    subscription = bus.subscribe(to: L07.TitleChanged.self, on: .main) { [weak self] event in
      self?.screen.show(event.title)
      self?.subscription = nil
    }
    server.fetch(picture) { [weak self, runtime] answer in
      runtime.main.schedule { [weak self] in if let image = try? answer.get() { self?.screen.show(image) } }
    }
  }
}

private final class CancelsTwoNames: OnScreen, L08.Program, @unchecked Sendable {
  private var requests: [String: PictureServer.Request] = [:]

  deinit { for name in ["A", "B"] { requests[name]?.cancel() } }

  func show(_ picture: String) {
    requests[picture] = server.fetch(picture) { [weak self, runtime] answer in
      runtime.main.schedule { [weak self] in if let image = try? answer.get() { self?.screen.show(image) } }
    }
  }
}

private final class CancelsLast: OnScreen, L08.Program, @unchecked Sendable {
  private var requests: [PictureServer.Request] = []

  deinit { for request in requests.suffix(2) { request.cancel() } }

  func show(_ picture: String) {
    requests.append(
      server.fetch(picture) { [weak self, runtime] answer in
        runtime.main.schedule { [weak self] in if let image = try? answer.get() { self?.screen.show(image) } }
      })
  }
}

private final class NeverCancels: OnScreen, L13.Program, @unchecked Sendable {
  private var isOver = false

  func start(_ picture: String) {
    server.fetch(picture) { [self] answer in onMain { [self] in end((try? answer.get()) ?? "failed") } }
  }

  func cancel() { end("cancelled") }

  private func end(_ text: String) {
    if !isOver { screen.show(text) }
    isOver = true
  }
}

private final class IgnoresFailure: OnScreen, L13.Program, @unchecked Sendable {
  private var request: PictureServer.Request?
  private var isOver = false

  func start(_ picture: String) {
    request = server.fetch(picture) { [self] answer in
      guard let image = try? answer.get() else { return }
      onMain { [self] in end(image) }
    }
  }

  func cancel() {
    request?.cancel()
    end("cancelled")
  }

  private func end(_ text: String) {
    if !isOver { screen.show(text) }
    isOver = true
  }
}
