import EventBus
import Testing
import VirtualTime

@Suite("The examples in “Guarantees” behave as documented") struct GuaranteeExamples {
  let console = Console()
  let bus = EventBus()

  func print(_ items: Any...) { console.print(items) }

  @Test("Each event type is a separate topic") func topics() {
    // snippet
    struct Loaded<Value: Sendable>: Event { let value: Value }

    let numbers = bus.subscribe(to: Loaded<Int>.self) { print("number", $0.value) }
    let texts = bus.subscribe(to: Loaded<String>.self) { print("text", $0.value) }
    bus.post(Loaded(value: 1))  // number 1
    bus.post(Loaded(value: "a"))  // text a
    // end
    #expect(console.lines == ["number 1", "text a"])
    withExtendedLifetime((numbers, texts)) {}
  }

  @Test("A post inside a handler is delivered after the current event") func order() {
    let bus = bus
    // snippet
    let first = bus.subscribe(to: Saved.self) { event in
      print("first", event.file)
      if event.file == "a" { bus.post(Saved(file: "b")) }
    }
    let second = bus.subscribe(to: Saved.self) { print("second", $0.file) }
    let urgent = bus.subscribe(to: Saved.self, priority: 10) { print("urgent", $0.file) }
    bus.post(Saved(file: "a"))  // urgent a, first a, second a, urgent b, first b, second b
    // end
    #expect(console.lines == ["urgent a", "first a", "second a", "urgent b", "first b", "second b"])
    withExtendedLifetime((first, second, urgent)) {}
  }

  @Test("After cancelAndWait() returns, no call of the handler is running") func cancelAndWait() {
    let log = Log()
    // snippet
    let writer = bus.subscribe(to: Saved.self) { log.append($0.file) }
    bus.post(Saved(file: "notes.txt"))
    writer.cancelAndWait()
    log.close()
    // end
    #expect(bus.post(Saved(file: "later.txt")) == 0)
  }

  @Test("A post returns the number of subscribers that accepted the event") func accepted() {
    // snippet
    if bus.post(Saved(file: "notes.txt")) == 0 { print("no subscriber") }
    // end
    #expect(console.lines == ["no subscriber"])
  }

  @Test("The bus returns the last event of a type and forgets it on request") func last() {
    struct Reachability: Event {
      static var replay: Int { 1 }
      let isOnline: Bool
    }
    bus.post(Reachability(isOnline: true))
    // snippet
    if let last = bus.last(Reachability.self) { print("online:", last.isOnline) }
    bus.forget(Reachability.self)  // no new subscriber receives it
    // end
    #expect(console.lines == ["online: true"])
    #expect(bus.last(Reachability.self) == nil)
  }

  @Test("A mailbox with a limit counts the events that it drops") func loss() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    // snippet
    let slow = bus.subscribe(to: Saved.self, on: .main(limit: .dropOldest(2))) { print("saved", $0.file) }
    for file in ["a", "b", "c"] { bus.post(Saved(file: file)) }
    print("lost:", slow.dropped)  // 1, if main has not handled any of them yet
    // end
    runtime.runReady()
    #expect(console.lines == ["lost: 1", "saved b", "saved c"])
  }

  @Test("The failure hook receives the source location of the handler that threw") func failure() {
    struct DiskIsFull: Error {}
    // snippet
    let bus = EventBus(onFailure: { failure in
      print("\(failure.fileID), line \(failure.line):", failure.error)
    })
    // end
    let line = #line + 1
    let subscription = bus.subscribe(to: Saved.self) { _ in throw DiskIsFull() }
    bus.post(Saved(file: "notes.txt"))
    #expect(console.lines == ["\(#fileID), line \(line): DiskIsFull()"])
    withExtendedLifetime(subscription) {}
  }

  @Test("A drain returns after every queued event has been handled") func drain() async {
    // snippet
    let subscription = bus.subscribe(to: Saved.self, on: .main) { print("saved", $0.file) }
    bus.post(Saved(file: "notes.txt"))
    await bus.drain()
    print("everything is saved")
    // end
    #expect(console.lines == ["saved notes.txt", "everything is saved"])
    withExtendedLifetime(subscription) {}
  }
}
