public import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("The bus delivers each event to the subscribers of its type and key") struct BasicsTests {
  let bus = EventBus()
  let bag = Bag()

  @Test("An event is delivered once to each subscriber") func once() {
    let record = Record<Int>()
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    bus.subscribe(to: Number.self) { record.append($0.value * 10) }.store(in: bag)
    #expect(bus.post(Number(value: 7)) == 2)
    #expect(record.values == [7, 70])
  }

  @Test(
    "In every delivery mode, a thousand posts cause a thousand calls in posting order", arguments: DeliveryMode.allCases
  )
  func manyInOrder(mode: DeliveryMode) async {
    let record = Record<Int>()
    bus.subscribe(to: Number.self, on: mode.delivery) { record.append($0.value) }.store(in: bag)
    for value in 0..<1000 { #expect(bus.post(Number(value: value)) == 1) }
    await bus.drain()
    #expect(record.values == Array(0..<1000))
  }

  @Test("A post without subscribers returns 0 and calls the hook for unhandled events once")
  func nobody() {
    let unhandled = Record<Int>()
    let bus = EventBus(onUnhandled: { unhandled.append(($0 as! Number).value) })
    #expect(bus.post(Number(value: 3)) == 0)
    var subscription: Subscription? = bus.subscribe(to: Number.self) { _ in }
    #expect(bus.post(Number(value: 4)) == 1)
    withExtendedLifetime(subscription) {}
    subscription = nil
    #expect(bus.post(Number(value: 5)) == 0)
    #expect(unhandled.values == [3, 5])
  }

  @Test("The hook for unhandled events may post without recursion") func hookPosts() {
    let calls = Record<Int>()
    let itself = Locked<EventBus?>(nil)
    let bus = EventBus(onUnhandled: { event in
      calls.append((event as! Number).value)
      itself.withLock { $0 }?.post(Number(value: 0))
    })
    itself.withLock { $0 = bus }
    bus.post(Number(value: 1))
    bus.post(Number(value: 2))
    #expect(calls.values == [1, 2])
    itself.withLock { $0 = nil }
  }

  @Test("A bus does not deliver events from another bus") func twoBuses() {
    let record = Record<Int>()
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    #expect(EventBus().post(Number(value: 1)) == 0)
    #expect(record.values.isEmpty)
  }

  @Test("Each type and each generic specialization is a separate topic") func types() {
    let record = Record<String>()
    bus.subscribe(to: Number.self) { record.append("number \($0.value)") }.store(in: bag)
    bus.subscribe(to: Loaded<Int>.self) { record.append("int \($0.value)") }.store(in: bag)
    bus.subscribe(to: Loaded<String>.self) { record.append("string \($0.value)") }.store(in: bag)
    bus.post(Loaded(value: "a"))
    bus.post(Loaded(value: 1))
    bus.post(Other(value: 2))
    #expect(record.values == ["string a", "int 1"])
  }

  @Test("Two types with the same name from different modules are separate topics") func sameName() {
    let record = Record<String>()
    bus.subscribe(to: Duration.self) { record.append("ours \($0.name)") }.store(in: bag)
    bus.subscribe(to: Swift.Duration.self) { record.append("theirs \($0.components.seconds)") }.store(in: bag)
    bus.post(Duration(name: "a"))
    bus.post(Swift.Duration.seconds(2))
    #expect(record.values == ["ours a", "theirs 2"])
  }

  @Test("An event can be a struct, a class, an enum, or an actor") func kinds() async {
    let record = Record<String>()
    let actors = Record<Announcer>()
    bus.subscribe(to: Number.self) { record.append("struct \($0.value)") }.store(in: bag)
    bus.subscribe(to: Notice.self) { record.append("class \($0.text)") }.store(in: bag)
    bus.subscribe(to: Switched.self) { record.append("enum \($0)") }.store(in: bag)
    bus.subscribe(to: Announcer.self) { actors.append($0) }.store(in: bag)
    bus.post(Number(value: 1))
    bus.post(Notice(text: "a"))
    bus.post(Switched.off)
    let announcer = Announcer()
    bus.post(announcer)
    #expect(record.values == ["struct 1", "class a", "enum off"])
    #expect(actors.values.count == 1 && actors.values.first === announcer)
  }

  @Test("Generic, existential, and delayed posts use the event's key") func keyed() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    func postGenerically<E: Event>(_ event: E) -> Int { bus.post(event) }
    let record = Record<String>()
    bus.subscribe(to: Renamed.self, key: "a") { record.append("a \($0.name)") }.store(in: bag)
    bus.subscribe(to: Renamed.self) { record.append("any \($0.name)") }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "b") { record.append("b \($0.name)") }.store(in: bag)
    #expect(postGenerically(Renamed(key: "a", name: "1")) == 2)
    let event: any Event = Renamed(key: "b", name: "2")
    #expect(bus.post(event) == 2)
    bus.post(Renamed(key: "a", name: "3"), after: .seconds(1))
    #expect(bus.post(Renamed(key: "c", name: "4")) == 1)
    runtime.runAll()
    #expect(record.values == ["a 1", "any 1", "any 2", "b 2", "any 4", "a 3", "any 3"])
  }

  @Test("The bus distinguishes a thousand keys while other keys are added and removed") func manyKeys() {
    let record = Record<String>()
    for key in 0..<1000 {
      bus.subscribe(to: Renamed.self, key: "\(key)") { record.append("\(key) \($0.name)") }.store(in: bag)
      bus.subscribe(to: Renamed.self, key: "passing \(key)") { _ in record.append("passed") }.cancel()
    }
    for key in 0..<1000 { #expect(bus.post(Renamed(key: "\(key)", name: "x")) == 1) }
    #expect(bus.post(Renamed(key: "passing 7")) == 0)
    #expect(record.values == (0..<1000).map { "\($0) x" })
    #expect(bus.subscriberCount(for: Renamed.self) == 1000)
  }

  @Test("A delayed post happens unless it is cancelled, even if its token is released")
  func delayed() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let record = Record<Int>()
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    let calledOff = bus.post(Number(value: 1), after: .seconds(1))
    bus.post(Number(value: 2), after: .seconds(2))
    calledOff.cancel()
    runtime.advance(by: .milliseconds(1999))
    #expect(record.values.isEmpty)
    runtime.advance(by: .milliseconds(1))
    #expect(record.values == [2])
    calledOff.cancel()
  }

  @Test("The subscriber count includes streams, and subscriptions with and without a key") func subscriberCount() {
    func count() -> Int { bus.subscriberCount(for: Renamed.self) }
    #expect(count() == 0)
    let first = bus.subscribe(to: Renamed.self) { _ in }
    #expect(count() == 1)
    let second = bus.subscribe(to: Renamed.self, key: "a") { _ in }
    #expect(count() == 2)
    var stream: EventStream<Renamed>? = bus.events(of: Renamed.self, key: "b")
    #expect(count() == 3)
    withExtendedLifetime(stream) {}
    stream = nil
    #expect(count() == 2)
    first.cancel()
    first.cancel()
    #expect(count() == 1)
    second.cancel()
    #expect(count() == 0)
  }
}

extension Swift.Duration: Event {}

private struct Duration: Event { let name: String }

private final class Notice: Event {
  let text: String
  init(text: String) { self.text = text }
}

private enum Switched: Event { case on, off }

private actor Announcer: Event {}
