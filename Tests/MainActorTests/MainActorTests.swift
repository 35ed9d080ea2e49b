import EventBus
import Testing

private struct Saved: KeyedEvent {
  let file: String
  var key: String { file }
}

/// A main-actor class that subscribes in every form, as an application writes it. Half of the test is that this target
/// compiles without warnings.
@MainActor private final class Window {
  private(set) var title = ""
  private(set) var shown: [String] = []
  private var subscriptions: Set<Subscription> = []
  private var others: [Subscription] = []

  func open(_ bus: EventBus) {
    bus.subscribe(to: Saved.self, on: .main) { [weak self] in self?.title = $0.file }.store(in: &subscriptions)
    bus.subscribe(to: Saved.self, on: .main) { @MainActor event in self.show("isolated \(event.file)") }
      .store(in: &subscriptions)
    bus.subscribe(to: Saved.self, on: .main) { [weak self] event in self?.show("weak \(event.file)") }
      .store(in: &others)
    bus.subscribe(to: Saved.self, key: "b", on: .main, once: true) { [weak self] in self?.show("key \($0.file)") }
      .store(in: &others)
  }

  func close() {
    subscriptions.removeAll()
    others.removeAll()
  }

  func show(_ file: String) { shown.append(file) }
}

@Suite("A handler on main can use main-actor state") struct MainActorTests {
  let bus = EventBus()

  @Test("Handlers on main update their main-actor class in registration order") func window() async {
    let bus = bus
    let window = Window()
    await window.open(bus)
    await withTaskGroup(of: Void.self) { group in group.addTask { bus.post(Saved(file: "a")) } }
    bus.post(Saved(file: "b"))
    await bus.drain()
    #expect(await window.title == "b")
    #expect(
      await window.shown == ["isolated a", "weak a", "isolated b", "weak b", "key b"])
    await window.close()
    #expect(bus.post(Saved(file: "c")) == 0)
  }

  @Test("A nonisolated handler can be called on main, even if a variable holds the delivery")
  func notIsolated() async {
    let files = Files()
    let delivery = Delivery.main
    let subscriptions = [
      bus.subscribe(to: Saved.self, on: .main) { files.append($0.file) },
      bus.subscribe(to: Saved.self, on: delivery) { files.append("again \($0.file)") },
    ]
    bus.post(Saved(file: "a"))
    await bus.drain()
    #expect(files.all == ["a", "again a"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("The bus reports an error that a main-actor handler throws") func throwing() async {
    let files = Files()
    let bus = EventBus(onFailure: { files.append("\($0.error)") })
    let subscription = bus.subscribe(to: Saved.self, on: .main) { @MainActor _ in throw CancellationError() }
    bus.post(Saved(file: "a"))
    await bus.drain()
    #expect(files.all == ["CancellationError()"])
    withExtendedLifetime(subscription) {}
  }

  @Test("A loop on the main actor runs asynchronous work in the order of the stream's events")
  @MainActor func asyncWork() async {
    let stream = bus.events(of: Saved.self, limit: .unbounded)
    for number in 0..<100 { bus.post(Saved(file: "\(number)")) }
    stream.close()
    var files: [String] = []
    for await event in stream {
      await Task.yield()
      files.append(event.file)
    }
    #expect(files == (0..<100).map { "\($0)" })
  }
}

private final class Files: Sendable {
  private let stored = Locked<[String]>([])

  var all: [String] { stored.withLock { $0 } }

  func append(_ file: String) { stored.withLock { $0.append(file) } }
}
