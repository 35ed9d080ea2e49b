import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("The test runtimes make the bus deterministic") struct TestRuntimeTests {
  let bag = Bag()
  let record = Record<String>()

  @Test("A manual runtime runs ready actions in order and only when the test asks for it") func manual() async {
    let (record, runtime) = (record, ManualRuntime())
    let bus = EventBus(runtime: runtime)
    let stream = bus.events(of: Number.self)
    bus.subscribe(to: Number.self, on: .main) { record.append("main \($0.value)") }.store(in: bag)
    bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) {
      record.append("worker \($0.value)")
    }.store(in: bag)
    bus.subscribe(to: Other.self, on: .scheduler(runtime.serial("own"))) {
      record.append("own \($0.value)")
    }.store(in: bag)
    let reader = runtime.task {
      for await event in stream {
        record.append("stream \(event.value)")
        if event.value == 3 { break }
      }
    }
    bus.post(Number(value: 1))
    bus.post(Other(value: 2))
    bus.post(Number(value: 3), after: .seconds(1))
    let drained = runtime.task {
      await bus.drain()
      record.append("drained")
    }
    #expect(record.values.isEmpty)
    runtime.runReady()
    #expect(record.values == ["stream 1", "main 1", "worker 1", "own 2", "drained"])
    runtime.advance(by: .seconds(1))
    #expect(record.values.dropFirst(5).sorted() == ["main 3", "stream 3", "worker 3"])
    await reader.value
    await drained.value
    #expect(runtime.isIdle)
  }

  @Test("An immediate runtime calls every handler and reader before the post returns")
  func immediate() async {
    let (record, runtime) = (record, ImmediateRuntime())
    let bus = EventBus(runtime: runtime)
    let stream = bus.events(of: Number.self)
    bus.subscribe(to: Number.self, on: .main) { event in
      record.append("main \(event.value)")
      if event.value == 1 { bus.post(Number(value: 2)) }
      record.append("returned from \(event.value)")
    }.store(in: bag)
    bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) {
      record.append("worker \($0.value)")
    }.store(in: bag)
    let reader = runtime.task {
      for await event in stream {
        record.append("stream \(event.value)")
        if event.value == 2 { break }
      }
    }
    bus.post(Number(value: 1))
    #expect(
      record.values.filter { $0.hasPrefix("main") || $0.hasPrefix("returned") }
        == ["main 1", "returned from 1", "main 2", "returned from 2"])
    #expect(record.values.filter { $0.hasPrefix("worker") } == ["worker 1", "worker 2"])
    #expect(record.values.filter { $0.hasPrefix("stream") } == ["stream 1", "stream 2"])
    let drained = runtime.task { await bus.drain() }
    await drained.value
    await reader.value
  }

  @Test("A bus that delivers only on the posting thread does not use its runtime") func unused() {
    let bus = EventBus(runtime: UnusedRuntime())
    let subscription = bus.subscribe(to: Sticky.self) { [record] in record.append("\($0.value)") }
    bus.post(Sticky(value: 1))
    subscription.cancel()
    #expect(record.values == ["1"])
  }
}
