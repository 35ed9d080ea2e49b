import EventBus
import Testing
import VirtualTime

@Suite("Trace") struct TraceTests {
  let record = Record<TraceEvent>()
  let runtime = ManualRuntime()
  let bus: EventBus

  init() { bus = EventBus(runtime: runtime, trace: { [record] in record.append($0) }) }

  @Test("Each step is told once, with its time, type, subscription, file and line") func steps() {
    runtime.advance(by: .seconds(1))
    let subscribed: UInt = #line + 1
    let subscription = bus.subscribe(to: Number.self, on: .main, overflow: .dropOldest(1)) { _ in }
    runtime.advance(by: .seconds(1))
    let posted: UInt = #line + 1
    for value in 0..<2 { bus.post(Number(value: value)) }
    runtime.advance(by: .seconds(1))
    subscription.cancel()
    subscription.cancel()

    let steps = record.values
    #expect(steps.map { "\($0.kind)" } == ["subscribed", "posted", "posted", "dropped", "delivered", "cancelled"])
    #expect(steps.map(\.line) == [subscribed, posted, posted, subscribed, subscribed, subscribed])
    #expect(steps.map(\.time) == [1, 2, 2, 2, 2, 3].map { Duration.seconds($0) })
    #expect(steps.allSatisfy { "\($0.fileID)" == #fileID && $0.type == Number.self })
    let subscriptions = steps.map(\.subscription)
    #expect(subscriptions.dropFirst().prefix(2).allSatisfy { $0 == nil })
    #expect(Set(subscriptions.compactMap(\.self)).count == 1)
    #expect(subscriptions.compactMap(\.self).count == 4)
  }

  @Test("Two subscriptions are told apart, and threads too") func toldApart() async throws {
    let bus = bus
    let subscriptions = (0..<2).map { _ in bus.subscribe(to: Number.self) { _ in } }
    await Elsewhere { bus.post(Number(value: 1)) }.end()
    let steps = record.values
    try #require(steps.map { "\($0.kind)" } == ["subscribed", "subscribed", "posted", "delivered", "delivered"])
    #expect(steps[0].subscription == steps[3].subscription)
    #expect(steps[1].subscription == steps[4].subscription)
    #expect(steps[0].subscription != steps[1].subscription)
    #expect(steps[0].thread == steps[1].thread)
    #expect(steps[2].thread == steps[3].thread && steps[2].thread != steps[0].thread)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A keyed post, a delayed one, a stream and a dead owner are told of, too") func otherWays() {
    let stream = bus.events(Renamed.self, overflow: .dropNewest(1))
    var owner: Load? = Load(Tally())
    let owned = bus.subscribe(owner!, to: Renamed.self, key: "a") { _, _ in }
    owner = nil
    bus.post(Renamed(key: "a"), after: .seconds(1))
    runtime.runAll()
    bus.post(Renamed(key: "b"))
    #expect(
      record.values.map { "\($0.kind)" } == [
        "subscribed", "subscribed", "posted", "cancelled", "posted", "dropped", "unhandled",
      ])
    withExtendedLifetime((stream, owned)) {}
  }
}
