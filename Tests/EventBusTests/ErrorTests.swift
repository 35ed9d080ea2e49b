import EventBus
import TestMachine
import Testing

@Suite("The bus reports the errors that handlers throw", .childProcesses) struct ErrorTests {
  let bag = Bag()

  @Test(
    "If a handler throws, the bus reports the error with its location and calls the other handlers",
    arguments: DeliveryMode.allCases
  )
  func reported(mode: DeliveryMode) async throws {
    let failures = Record<HandlerFailure>()
    let bus = EventBus(onFailure: { failures.append($0) })
    let record = Record<Int>()
    let delivery = mode.delivery
    let line: UInt = #line + 1
    bus.subscribe(to: Number.self, on: delivery) { throw Broken(value: $0.value) }.store(in: bag)
    bus.subscribe(to: Number.self, on: delivery) { record.append($0.value) }.store(in: bag)
    for value in 1...2 { #expect(bus.post(Number(value: value)) == 2) }
    await bus.drain()
    #expect(record.values == [1, 2])
    #expect(failures.values.map { ($0.error as? Broken)?.value } == [1, 2])
    #expect(failures.values.map { ($0.event as? Number)?.value } == [1, 2])
    let failure = try #require(failures.values.first)
    #expect(failure.line == line)
    #expect("\(failure.fileID)" == #fileID)
  }

  @Test("The bus reports an error that a handler throws during its replay") func duringReplay() {
    let failures = Record<HandlerFailure>()
    let bus = EventBus(onFailure: { failures.append($0) })
    bus.post(Sticky(value: 1))
    bus.subscribe(to: Sticky.self) { throw Broken(value: $0.value) }.store(in: bag)
    bus.post(Sticky(value: 2))
    #expect(failures.values.map { ($0.error as? Broken)?.value } == [1, 2])
  }

  @Test("A post by the failure hook follows the current event, and its handlers may also fail") func hookPosts() {
    let record = Record<String>()
    let itself = Locked<EventBus?>(nil)
    let bus = EventBus(onFailure: { failure in
      record.append("failed \(failure.error)")
      if failure.event is Number { itself.withLock { $0 }?.post(Other(value: 2)) }
    })
    itself.withLock { $0 = bus }
    bus.subscribe(to: Number.self) { throw Broken(value: $0.value) }.store(in: bag)
    bus.subscribe(to: Number.self) { record.append("number \($0.value)") }.store(in: bag)
    bus.subscribe(to: Other.self) { throw Broken(value: $0.value) }.store(in: bag)
    bus.subscribe(to: Other.self) { record.append("other \($0.value)") }.store(in: bag)
    bus.post(Number(value: 1))
    #expect(record.values == ["failed Broken(value: 1)", "number 1", "failed Broken(value: 2)", "other 2"])
    itself.withLock { $0 = nil }
  }

  @Test("The failure hook may cancel the subscription that failed") func hookCancels() {
    let tokens = Record<Subscription>()
    let bus = EventBus(onFailure: { _ in tokens.values.forEach { $0.cancel() } })
    tokens.append(bus.subscribe(to: Number.self) { throw Broken(value: $0.value) })
    #expect(bus.post(Number(value: 1)) == 1)
    #expect(bus.post(Number(value: 2)) == 0)
  }

  @Test("Without a failure hook, the bus prints location, event type, and error to standard error")
  func standardError() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let bus = EventBus()
      let throwing = bus.subscribe(to: Number.self, fileID: "Sample/File.swift", line: 42) {
        throw Broken(value: $0.value)
      }
      bus.post(Number(value: 7))
      withExtendedLifetime(throwing) {}
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("Sample/File.swift:42: a handler for Number threw: Broken(value: 7)\n"))
  }
}

private struct Broken: Error { let value: Int }
