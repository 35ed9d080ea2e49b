import EventBus
import Testing
import VirtualTime

@Suite("Examples of the runtimes for tests") struct TestRuntimeExamples {
  let console = Console()

  func print(_ items: Any...) { console.print(items) }

  @Test("An hour takes no time") func virtual() {
    let print = Locked<[String]>([])
    do {
      let print = { @Sendable (line: String) in print.withLock { $0.append(line) } }
      // snippet
      let runtime = VirtualRuntime()
      _ = runtime.main.schedule(after: .seconds(3600)) { print("an hour later") }
      runtime.run()  // prints at once
      // end
    }
    #expect(print.withLock { $0 } == ["an hour later"])
  }

  @Test("A policy decides what is next") func policy() {
    let print = Locked<[String]>([])
    do {
      let print = { @Sendable (line: String) in print.withLock { $0.append(line) } }
      // snippet
      final class LastFirst: SchedulePolicy {
        func choose(from ready: ReadySet) -> Int { ready.count - 1 }
      }

      let runtime = VirtualRuntime(policy: LastFirst())
      runtime.serial("a").schedule { print("a") }
      runtime.serial("b").schedule { print("b") }
      runtime.run()  // b, then a
      // end
    }
    #expect(print.withLock { $0 } == ["b", "a"])
  }

  @Test("Nothing runs until the test says so") func manual() {
    // snippet
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // prints nothing
    runtime.runReady()  // saved notes.txt
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("The time passes when the test says so") func time() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    // snippet
    bus.post(Saved(file: "notes.txt"), after: .seconds(60))
    runtime.advance(by: .seconds(59))  // prints nothing
    runtime.advance(by: .seconds(1))  // saved notes.txt
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("Tasks run as actions of the runtime") func tasks() async {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    // snippet
    bus.post(Saved(file: "notes.txt"))
    let drained = runtime.task { await bus.drain() }
    runtime.runReady()
    await drained.value  // the handler has returned
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("Everything runs at once") func immediate() {
    // snippet
    let bus = EventBus(runtime: ImmediateRuntime())
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // saved notes.txt, before it returns
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("Nothing may be scheduled") func unused() {
    // snippet
    let bus = EventBus(runtime: UnusedRuntime())
    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // saved notes.txt; delivery on main would trap
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }
}
