import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("The trace reports each step of an event and of a subscription") struct TraceTests {
  let bag = Bag()
  let record = Record<TraceEvent>()
  let runtime = ManualRuntime()
  let bus: EventBus

  init() { bus = EventBus(runtime: runtime, trace: { [record] in record.append($0) }) }

  @Test("The trace reports each step once, with its time, type, and location") func steps() {
    runtime.advance(by: .seconds(1))
    let subscribed: UInt = #line + 1
    let subscription = bus.subscribe(to: Number.self, on: .main(limit: .dropOldest(1))) { _ in }
    runtime.advance(by: .seconds(1))
    let posted: UInt = #line + 1
    for value in 0..<2 { bus.post(Number(value: value)) }
    runtime.advance(by: .seconds(1))
    subscription.cancel()
    subscription.cancel()

    let steps = record.values
    #expect(
      steps.map { "\($0.kind)" } == [
        "subscribed", "posted", "accepted", "posted", "dropped", "accepted", "delivering", "delivered", "cancelled",
      ])
    let (here, there) = (subscribed, posted)
    #expect(steps.map(\.line) == [here, there, there, there, here, there, here, here, here])
    #expect(steps.map(\.time) == [1, 2, 2, 2, 2, 2, 2, 2, 3].map { Duration.seconds($0) })
    #expect(steps.allSatisfy { "\($0.fileID)" == #fileID && $0.type == Number.self })
    let subscriptions = steps.map(\.subscription)
    #expect(subscriptions.dropFirst().prefix(3).allSatisfy { $0 == nil })
    #expect(Set(subscriptions.compactMap(\.self)).count == 1)
    #expect(subscriptions.compactMap(\.self).count == 5)
  }

  @Test("The trace distinguishes subscriptions and threads") func toldApart() async throws {
    let bus = bus
    for _ in 0..<2 { bus.subscribe(to: Number.self) { _ in }.store(in: bag) }
    await Elsewhere { bus.post(Number(value: 1)) }.end()
    let steps = record.values
    try #require(
      steps.map { "\($0.kind)" } == [
        "subscribed", "subscribed", "posted", "delivering", "delivered", "delivering", "delivered", "accepted",
      ])
    #expect(steps[3...4].allSatisfy { $0.subscription == steps[0].subscription })
    #expect(steps[5...6].allSatisfy { $0.subscription == steps[1].subscription })
    #expect(steps[0].subscription != steps[1].subscription)
    #expect(steps[0].thread == steps[1].thread)
    #expect(steps[2...].allSatisfy { $0.thread == steps[2].thread } && steps[2].thread != steps[0].thread)
  }

  @Test("The trace reports keyed and delayed posts, streams, and subscriptions with `once`") func otherWays() {
    bag.keep(bus.events(of: Renamed.self, limit: .dropNewest(1)))
    bus.subscribe(to: Renamed.self, key: "a", once: true) { _ in }.store(in: bag)
    bus.post(Renamed(key: "a"), after: .seconds(1))
    runtime.runAll()
    bus.post(Renamed(key: "b"))
    #expect(
      record.values.map { "\($0.kind)" } == [
        "subscribed", "subscribed", "posted", "delivering", "cancelled", "delivered", "accepted", "posted",
        "dropped", "unhandled",
      ])
  }

  @Test("The trace contains the event, its key, and the subscriber's name") func names() {
    bus.subscribe(to: Renamed.self, name: "all") { _ in }.store(in: bag)
    let keyed = bus.subscribe(to: Renamed.self, key: "a", on: .main, name: "page") { _ in }
    bag.keep(bus.events(of: Number.self, name: "reader"))
    bus.post(Renamed(key: "a"))
    runtime.runAll()
    keyed.cancel()
    let steps = record.values
    let summary = { (step: TraceEvent) in
      let key = step.key.map { " \($0)" } ?? ""
      return "\(step.kind)\(key)" + (step.name.map { " \($0)" } ?? "") + (step.event == nil ? "" : "!")
    }
    #expect(
      steps.map(summary) == [
        "subscribed all", "subscribed a page", "subscribed reader", "posted a!", "delivering a all!",
        "delivered a all!", "accepted a!", "delivering a page!", "delivered a page!", "cancelled a page",
      ])
    #expect((steps[3].event as? Renamed)?.key == "a")
    #expect(bus.subscriptions.map(\.name) == ["all", "reader"])
  }

  @Test("The trace reports a subscription before its first event") func subscribedFirst() async {
    // Another thread posts all the time.
    let stop = Record<Void>()
    let poster = Task.detached { [bus] in
      while stop.values.isEmpty { bus.post(Number(value: 1)) }
    }
    for _ in 0..<2000 { bus.subscribe(to: Number.self) { _ in }.cancel() }
    stop.append(())
    await poster.value
    var known: Set<UInt64> = []
    for step in record.values {
      guard let subscription = step.subscription else { continue }
      if step.kind == .subscribed { known.insert(subscription) }
      #expect(known.contains(subscription))
    }
  }
}
