import EventBus
import Testing
import VirtualTime

@Suite("The examples in the overview behave as documented") struct OverviewExamples {
  let console = Console()

  func print(_ items: Any...) { console.print(items) }

  @Test("Five lines declare, subscribe to, and post an event") func fiveLines() {
    // snippet
    struct Saved: Event { let file: String }

    let bus = EventBus()
    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))
    subscription.cancel()
    // end
    bus.post(Saved(file: "later.txt"))
    #expect(console.lines == ["saved notes.txt"])
  }

  @Test("A subscriber with a key receives only the events with that key") func keys() {
    let bus = EventBus()
    // snippet
    struct Progress: KeyedEvent {
      let download: Int
      let percent: Int
      var key: Int { download }
    }

    let one = bus.subscribe(to: Progress.self, key: 7) { print("the seventh:", $0.percent) }
    let all = bus.subscribe(to: Progress.self) { print("number", $0.download, "is at", $0.percent) }
    bus.post(Progress(download: 7, percent: 50))  // calls both
    bus.post(Progress(download: 8, percent: 10))  // calls the second
    // end
    #expect(console.lines == ["the seventh: 50", "number 7 is at 50", "number 8 is at 10"])
    withExtendedLifetime((one, all)) {}
  }

  @Test("A late subscriber receives the current state") func replay() {
    let bus = EventBus()
    // snippet
    struct Reachability: Event {
      static var replay: Int { 1 }
      let isOnline: Bool
    }

    bus.post(Reachability(isOnline: true))
    let late = bus.subscribe(to: Reachability.self) { print("online:", $0.isOnline) }  // online: true
    bus.post(Reachability(isOnline: false))  // online: false
    // end
    #expect(console.lines == ["online: true", "online: false"])
    withExtendedLifetime(late) {}
  }

  @Test("A handler on main uses the state of a main-actor class") @MainActor func mainActor() async {
    // snippet
    @MainActor final class Window {
      var title = ""
      var subscriptions: Set<Subscription> = []

      func open(_ bus: EventBus) {
        bus.subscribe(to: Saved.self, on: .main) { [weak self] in self?.title = $0.file }.store(in: &subscriptions)
      }
    }
    // end
    let bus = EventBus()
    var window: Window? = Window()
    window?.open(bus)
    bus.post(Saved(file: "notes.txt"))
    await bus.drain()
    #expect(window?.title == "notes.txt")
    window = nil
    #expect(bus.subscriberCount(for: Saved.self) == 0)
  }

  @Test("A stream passes events to an actor in order") func actors() async {
    actor Archive {
      var files: [String] = []
      func add(_ file: String) { files.append(file) }
    }
    let runtime = ManualRuntime()
    let (bus, archive) = (EventBus(runtime: runtime), Archive())
    let reader = Task {
      // snippet
      for await saved in bus.events(of: Saved.self) { await archive.add(saved.file) }
      // end
    }
    while bus.subscriberCount(for: Saved.self) == 0 { await Task.yield() }
    for file in ["notes.txt", "later.txt"] { bus.post(Saved(file: file)) }
    while await archive.files.count < 2 { await Task.yield() }
    #expect(await archive.files == ["notes.txt", "later.txt"])
    reader.cancel()
    await reader.value
  }

  @Test("A subscription with `once` handles only the first event") func once() {
    let bus = EventBus()
    // snippet
    let first = bus.subscribe(to: Saved.self, once: true) { print("the first was", $0.file) }
    // end
    for file in ["notes.txt", "later.txt"] { bus.post(Saved(file: file)) }
    #expect(console.lines == ["the first was notes.txt"])
    withExtendedLifetime(first) {}
  }

  @Test("A task can read events with `for await`") func sequence() async {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let reader = runtime.task {
      // snippet
      for await saved in bus.events(of: Saved.self) { print("saved", saved.file) }
      // end
    }
    runtime.runReady()
    for file in ["notes.txt", "later.txt"] { bus.post(Saved(file: file)) }
    runtime.runReady()
    #expect(console.lines == ["saved notes.txt", "saved later.txt"])
    reader.cancel()
    runtime.runReady()
    await reader.value
  }
}
