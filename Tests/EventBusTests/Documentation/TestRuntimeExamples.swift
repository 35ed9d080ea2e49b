import EventBus
import Testing
import VirtualTime

@Suite("The examples for the test runtimes behave as documented") struct TestRuntimeExamples {
  let console = Console()

  func print(_ items: Any...) { console.print(items) }

  @Test("A virtual runtime runs an action that is due in an hour without waiting") func virtual() {
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

  @Test("A schedule policy chooses the next action") func policy() {
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

  @Test("A manual runtime runs nothing until the test runs its ready actions") func manual() {
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

  @Test("A manual runtime's time advances only when the test advances it") func time() {
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

  @Test("A manual runtime runs a task as one of its ready actions") func tasks() async {
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

  @Test("An immediate runtime calls a handler on main before the post returns") func immediate() {
    // snippet
    let bus = EventBus(runtime: ImmediateRuntime())
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // saved notes.txt, before it returns
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }

  @Test("An unused runtime supports a bus that delivers only on the posting thread") func unused() {
    // snippet
    let bus = EventBus(runtime: UnusedRuntime())
    let subscription = bus.subscribe(to: Saved.self) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))  // saved notes.txt; delivery on main would trap
    // end
    #expect(console.lines == ["saved notes.txt"])
    withExtendedLifetime(subscription) {}
  }
}
