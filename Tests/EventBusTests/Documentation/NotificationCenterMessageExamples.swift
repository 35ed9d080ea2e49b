import EventBus
import Foundation
import Testing
import VirtualTime

@Suite("The examples for users of NotificationCenter messages behave as documented")
struct NotificationCenterMessageExamples {
  let console = Console()
  let runtime = ManualRuntime()

  func print(_ items: Any...) { console.print(items) }

  @available(macOS 26, iOS 26, *)
  @Test("A removed observer receives no more main-actor messages") @MainActor func before() {
    let center = NotificationCenter()
    // snippet
    struct Opened: NotificationCenter.MainActorMessage {
      typealias Subject = Document
      let file: String
    }

    let token = center.addObserver(for: Opened.self) { print("opened", $0.file) }
    center.post(Opened(file: "notes.txt"))
    center.removeObserver(token)
    // end
    center.post(Opened(file: "later.txt"))
    #expect(console.lines == ["opened notes.txt"])
  }

  @Test("An event that is delivered on main replaces a main-actor message") func after() {
    let bus = EventBus(runtime: runtime)
    // snippet
    struct Opened: Event { let file: String }

    let subscription = bus.subscribe(to: Opened.self, on: .main) { print("opened", $0.file) }
    bus.post(Opened(file: "notes.txt"))
    // end
    runtime.runReady()
    #expect(console.lines == ["opened notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("A handler on main can use main-actor state") @MainActor func onMain() async {
    @MainActor final class Window {
      let console: Console

      init(_ console: Console) { self.console = console }

      func show(_ file: String) { console.print(["showing", file]) }
    }
    let bus = EventBus()
    let window = Window(console)
    // snippet
    let subscription = bus.subscribe(to: Saved.self, on: .main) { [weak window] event in
      window?.show(event.file)
    }
    // end
    bus.post(Saved(file: "notes.txt"))
    await bus.drain()
    #expect(console.lines == ["showing notes.txt"])
    withExtendedLifetime((subscription, window)) {}
  }

  @Test("An actor receives the events of a stream in posting order") func intoActor() async {
    let archive = Archive()
    func read(_ bus: EventBus) -> Task<Void, Never> {
      // snippet
      let events = bus.events(of: Saved.self, limit: .unbounded)
      let reader = Task {
        for await event in events { await archive.handle(event) }
      }
      // end
      return reader
    }
    var bus: EventBus? = EventBus()
    let reader = bus.map(read)
    let files = (0..<1000).map { "\($0).txt" }
    for file in files { bus?.post(Saved(file: file)) }
    bus = nil
    await reader?.value
    #expect(await archive.files == files)
  }
}

private final class Document: Sendable {}

private actor Archive {
  private(set) var files: [String] = []

  /// Suspends now and then, as a handler that writes to a disk does.
  func handle(_ event: Saved) async {
    if files.count.isMultiple(of: 10) { await Task.yield() }
    files.append(event.file)
  }
}
