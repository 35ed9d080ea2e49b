import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A bus reports its subscriptions, its replayed events, and its steps", .childProcesses) struct InspectionTests {
  let bag = Bag()

  @Test("The subscription list has the type, key, and location of each subscription in order") func list() {
    let bus = EventBus()
    let first: UInt = #line + 1
    bus.subscribe(to: Number.self, on: .main, priority: 3) { _ in }.store(in: bag)
    bus.subscribe(to: Renamed.self, key: "a") { _ in }.store(in: bag)
    bag.keep(bus.events(of: Renamed.self, limit: .dropNewest(1)))
    let gone = bus.subscribe(to: Number.self) { _ in }
    gone.cancel()
    for _ in 0..<3 { bus.post(Renamed(key: "b")) }
    let list = bus.subscriptions
    #expect(list.map { "\($0.type)" } == ["Number", "Renamed", "Renamed"])
    #expect(list.map(\.line) == [first, first + 1, first + 2])
    #expect(list.map { $0.key.map { "\($0)" } ?? "" } == ["", "a", ""])
    #expect(list.map(\.priority) == [3, 0, 0])
    #expect(list.map(\.dropped) == [0, 0, 2])
    #expect(list.map(\.description)[1].hasSuffix("InspectionTests.swift:\(first + 1): Renamed with key a"))
  }

  @Test("forget() returns the removed events of one key or of all keys, oldest first") func forgotten() {
    let bus = EventBus()
    for value in 1...3 { bus.post(Status(key: "a", value: value)) }
    bus.post(Status(key: "b", value: 4))
    #expect(bus.forget(Status.self, key: "a").map(\.value) == [2, 3])
    #expect(bus.last(Status.self, key: "a") == nil)
    bus.post(Status(key: "a", value: 5))
    #expect(bus.forget(Status.self).map(\.value) == [4, 5])
    #expect(bus.forget(Status.self).isEmpty)
    #expect(bus.forget(Number.self).isEmpty)
  }

  @Test("The trace reports handlers that throw and events without a handler") func trace() {
    let record = Record<String>()
    let bus = EventBus(onFailure: { _ in }, trace: { record.append("\($0.kind)") })
    bus.post(Number(value: 0))
    bus.subscribe(to: Number.self) { _ in throw CancellationError() }.store(in: bag)
    bus.post(Number(value: 1))
    #expect(record.values == ["posted", "unhandled", "subscribed", "posted", "delivering", "failed", "accepted"])
  }

  @Test("Delivery on the workers calls the handler on the workers of the bus's runtime") func workers() {
    let runtime = ManualRuntime()
    let bus = EventBus(runtime: runtime)
    let record = Record<Bool>()
    bus.subscribe(to: Number.self, on: .workers) { _ in record.append(runtime.workers.isCurrent) }.store(in: bag)
    bus.post(Number(value: 1))
    #expect(record.values.isEmpty)
    runtime.runReady()
    #expect(record.values == [true])
  }

  @Test("A subscription in an array stays active until the array releases it") func storing() {
    let bus = EventBus()
    var owned: [Subscription] = []
    bus.subscribe(to: Number.self) { _ in }.store(in: &owned)
    #expect(bus.post(Number(value: 1)) == 1)
    owned.removeAll()
    #expect(bus.post(Number(value: 1)) == 0)
  }

  @Test("A scheduler is released with its last subscription") func schedulers() {
    let bus = EventBus()
    for _ in 0..<9 { bus.subscribe(to: Number.self, on: .scheduler(HeldScheduler())) { _ in }.store(in: bag) }
    weak var released: HeldScheduler?
    do {
      let scheduler = HeldScheduler()
      released = scheduler
      bus.subscribe(to: Number.self, on: .scheduler(scheduler)) { _ in }.cancel()
    }
    #expect(released == nil)
  }

  @Test("The bus frees the memory of a burst of nested posts") func memory() async {
    await #expect(processExitsWith: .success) {
      let bus = EventBus()
      func burst(_ count: Int) {
        let subscription = bus.subscribe(to: Number.self) { event in
          if event.value == 0 { for value in 1...count { bus.post(Number(value: value)) } }
        }
        bus.post(Number(value: 0))
        subscription.cancel()
      }
      burst(1000)
      let before = Memory.resident
      burst(cycles(250_000, dividedBy: 1))
      let growth = Memory.resident - before
      precondition(growth < 8 << 20, "Memory has grown by \(growth >> 20) MiB.")
    }
  }
}
