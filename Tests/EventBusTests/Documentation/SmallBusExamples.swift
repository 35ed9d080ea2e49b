import Dispatch
import EventBus
import Foundation
import SmallBus
import Synchronization
import TestMachine
import Testing

/// The runs of the page `FromASmallBus.md`. Each run uses the small bus, which breaks a guarantee, and then the shipped
/// bus. The page states the output of each run.
@Suite("The runs on the page about the small bus print the documented output") struct SmallBusExamples {
  let console = Console()

  func print(_ items: Any...) { console.print(items) }

  private static func page() throws -> String {
    let file = packageRoot.appending(path: "Sources/EventBus/EventBus.docc/FromASmallBus.md")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Returns the output of a run as the page states it, with the small bus and with the shipped one.
  private static func output(of run: Int) throws -> (small: [String], shipped: [String]) {
    let section = try #require(page().components(separatedBy: "\n### ").first { $0.hasPrefix("Run \(run):") })
    let blocks = ExamplePages.blocks(in: section, "text").map { $0.components(separatedBy: "\n") }
    try #require(blocks.count == 2)
    return (blocks[0], blocks[1])
  }

  @Test("The example in the doc comment of the small bus draws on main") @MainActor func comment() async {
    // snippet
    let bus = SmallBus()
    let drawing = bus.subscribe(to: Saved.self, on: .main) { print("draw", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // returns 1; main draws later
    // end
    #expect(console.lines == [])
    await settle(DispatchRuntime.shared.main)
    #expect(console.lines == ["draw notes.txt"])
    withExtendedLifetime(drawing) {}
  }

  @Test("Run 1: the small bus calls a cancelled subscriber") func cancelInHandlerSmall() throws {
    typealias Subscription = SmallBus.Subscription
    let bus = SmallBus()
    // snippet
    let page = Mutex<Subscription?>(nil)
    let closing = bus.subscribe(to: Saved.self) { _ in
      print("the page disappears")
      page.withLock { $0 }?.cancel()
    }
    let drawing = bus.subscribe(to: Saved.self) { print("the page draws", $0.file) }
    page.withLock { $0 = drawing }
    bus.post(Saved(file: "notes.txt"))
    // end
    #expect(try console.lines == Self.output(of: 1).small)
    withExtendedLifetime(closing) {}
  }

  @Test("Run 1: the shipped bus does not call a cancelled subscriber") func cancelInHandlerShipped() throws {
    let bus = EventBus()
    // snippet
    let page = Mutex<Subscription?>(nil)
    let closing = bus.subscribe(to: Saved.self) { _ in
      print("the page disappears")
      page.withLock { $0 }?.cancel()
    }
    let drawing = bus.subscribe(to: Saved.self) { print("the page draws", $0.file) }
    page.withLock { $0 = drawing }
    bus.post(Saved(file: "notes.txt"))
    // end
    #expect(try console.lines == Self.output(of: 1).shipped)
    withExtendedLifetime(closing) {}
  }

  @Test("Run 2: the small bus calls a handler on main after a cancel on main")
  @MainActor func queuedSmall() async throws {
    let bus = SmallBus()
    // snippet
    let drawing = bus.subscribe(to: Saved.self, on: .main) { print("the page draws", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // waits until main is free
    drawing.cancel()
    print("the page has disappeared")
    // end
    await settle(DispatchRuntime.shared.main)
    #expect(try console.lines == Self.output(of: 2).small)
  }

  @Test("Run 2: the shipped bus does not call a handler on main after a cancel on main")
  @MainActor func queuedShipped() async throws {
    let bus = EventBus()
    // snippet
    let drawing = bus.subscribe(to: Saved.self, on: .main) { print("the page draws", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // waits until main is free
    drawing.cancel()
    print("the page has disappeared")
    // end
    await settle(DispatchRuntime.shared.main)
    #expect(try console.lines == Self.output(of: 2).shipped)
  }

  @Test("Run 3: in the small bus, a nested post overtakes the event that caused it") func nestedSmall() throws {
    let bus = SmallBus()
    // snippet
    let model = bus.subscribe(to: Saved.self) { event in
      print("model", event.file)
      if event.file == "cause" { bus.post(Saved(file: "consequence")) }
    }
    let page = bus.subscribe(to: Saved.self) { print("page", $0.file) }
    bus.post(Saved(file: "cause"))
    // end
    #expect(try console.lines == Self.output(of: 3).small)
    withExtendedLifetime((model, page)) {}
  }

  @Test("Run 3: in the shipped bus, a nested post follows the event that caused it") func nestedShipped() throws {
    let bus = EventBus()
    // snippet
    let model = bus.subscribe(to: Saved.self) { event in
      print("model", event.file)
      if event.file == "cause" { bus.post(Saved(file: "consequence")) }
    }
    let page = bus.subscribe(to: Saved.self) { print("page", $0.file) }
    bus.post(Saved(file: "cause"))
    // end
    #expect(try console.lines == Self.output(of: 3).shipped)
    withExtendedLifetime((model, page)) {}
  }

  @Test("Run 4: in the small bus, a slow subscriber handles every outdated event")
  @MainActor func slowSmall() async throws {
    let bus = SmallBus()
    // snippet
    struct Progress: Event { let percent: Int }

    let bar = bus.subscribe(to: Progress.self, on: .main) { print("the bar draws", $0.percent) }
    for percent in [20, 40, 60, 80, 100] { bus.post(Progress(percent: percent)) }
    DispatchQueue.main.async { print("main answers a tap") }
    // end
    await settle(DispatchRuntime.shared.main)
    #expect(try console.lines == Self.output(of: 4).small)
    withExtendedLifetime(bar) {}
  }

  @Test("Run 4: in the shipped bus, a mailbox with a limit drops outdated events for a slow subscriber") @MainActor
  func slowShipped() async throws {
    struct Progress: Event { let percent: Int }
    // With the real clock, a preempted run may exceed the mailbox's 10 ms before it reaches the newest event.
    let bus = EventBus(runtime: StoppedClock())
    // snippet
    let bar = bus.subscribe(to: Progress.self, on: .main(limit: .dropOldest(1))) {
      print("the bar draws", $0.percent)
    }
    for percent in [20, 40, 60, 80, 100] { bus.post(Progress(percent: percent)) }
    DispatchQueue.main.async { print("main answers a tap") }
    print("the bar has lost", bar.dropped)
    // end
    await settle(DispatchRuntime.shared.main)
    #expect(try console.lines == Self.output(of: 4).shipped)
  }

  @Test("Every file that the page names exists") func files() throws {
    let named = try Self.page().matches(of: /`([\w\/+]+\.swift)`/).map { String($0.1) }
    let known = ["Sources", "Tests"].flatMap { folder in
      let inside = FileManager.default.enumerator(atPath: packageRoot.appending(path: folder).path)
      return inside?.compactMap { "/\(folder)/\($0)" } ?? []
    }
    #expect(named.count >= 5)
    #expect(named.filter { name in !known.contains { $0.hasSuffix("/\(name)") } } == [])
  }
}

/// The Dispatch runtime with a clock that stands still, so that no mailbox exceeds its time.
private struct StoppedClock: Runtime {
  private let base = DispatchRuntime.shared

  var main: any Scheduler { base.main }
  var workers: any Scheduler { base.workers }
  var now: Duration { .zero }
  func serial(_ label: String) -> any Scheduler { base.serial(label) }
  func gate() -> any Gate { base.gate() }
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> { base.task(body) }
}
