import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A stream yields the events of its type in posting order") struct StreamTests {
  let bag = Bag()
  let runtime = ManualRuntime()
  let bus: EventBus

  init() { bus = EventBus(runtime: runtime) }

  @Test("A stream receives events from its creation on, before a loop reads it") func registered() async {
    let stream = bus.events(of: Number.self)
    #expect(bus.subscriberCount(for: Number.self) == 1)
    for value in 0..<3 { #expect(bus.post(Number(value: value)) == 1) }
    var iterator = stream.makeAsyncIterator()
    for value in 0..<3 { #expect(await iterator.next()?.value == value) }
  }

  @Test("Each stream receives every event of its type, and a stream with a key only those with its key")
  func several() async {
    var first = bus.events(of: Renamed.self).makeAsyncIterator()
    var second = bus.events(of: Renamed.self).makeAsyncIterator()
    var keyed = bus.events(of: Renamed.self, key: "b").makeAsyncIterator()
    #expect(bus.post(Renamed(key: "a", name: "1")) == 2)
    #expect(bus.post(Renamed(key: "b", name: "2")) == 3)
    #expect(await [first.next()?.name, first.next()?.name] == ["1", "2"])
    #expect(await [second.next()?.name, second.next()?.name] == ["1", "2"])
    #expect(await keyed.next()?.name == "2")
  }

  @Test("A waiting reader receives the next events in order") func waitingReader() async {
    let (bus, record) = (bus, Record<Int>())
    let stream = bus.events(of: Number.self)
    let reader = runtime.task { for await event in stream { record.append(event.value) } }
    runtime.runReady()
    for value in 0..<3 { bus.post(Number(value: value)) }
    #expect(record.values.isEmpty)
    runtime.runReady()
    #expect(record.values == [0, 1, 2])
    bus.post(Number(value: 3))
    runtime.runReady()
    #expect(record.values == [0, 1, 2, 3])
    reader.cancel()
    runtime.runReady()
    await reader.value
  }

  @Test("Cancelling a reader ends its pending next(), but not the stream")
  func cancelledWhileWaiting() async {
    let (bus, record) = (bus, Record<String>())
    let stream = bus.events(of: Number.self)
    let reader = runtime.task {
      for await _ in stream { record.append("event") }
      record.append("ended")
    }
    runtime.runReady()
    reader.cancel()
    runtime.runReady()
    await reader.value
    #expect(record.values == ["ended"])
    #expect(bus.post(Number(value: 1)) == 1)
    for await event in stream {
      #expect(event.value == 1)
      break
    }
  }

  @Test("In a cancelled task, next() returns nil even if events wait")
  func cancelledBefore() async {
    let (bus, record) = (bus, Record<String>())
    let stream = bus.events(of: Number.self)
    let reader = runtime.task {
      var iterator = stream.makeAsyncIterator()
      record.append(await iterator.next() == nil ? "nil" : "event")
      record.append(await iterator.next() == nil ? "nil" : "event")
    }
    bus.post(Number(value: 1))
    reader.cancel()
    runtime.runReady()
    await reader.value
    #expect(record.values == ["nil", "nil"])
    #expect(bus.subscriberCount(for: Number.self) == 1)
  }

  @Test("A released stream is unsubscribed, and its waiting events are released", arguments: [1, 40])
  func dropped(count: Int) {
    let tally = Tally()
    bag.keep(bus.events(of: Loading.self, limit: .dropOldest(1)))
    var streams = (0..<count).map { _ in bus.events(of: Loading.self) }
    for _ in 0..<10 { bus.post(Loading(load: Load(tally))) }
    #expect(tally.living == 10)
    streams.removeLast()
    #expect(bus.subscriberCount(for: Loading.self) == count)
    streams.removeAll()
    #expect(bus.subscriberCount(for: Loading.self) == 1)
    #expect(tally.living == 1)
  }

  @Test("An iterator keeps its stream subscribed until the iterator is released") func iteratorKeeps() async {
    func makeIterator() -> EventStream<Number>.Iterator { bus.events(of: Number.self).makeAsyncIterator() }
    do {
      var iterator = makeIterator()
      bus.post(Number(value: 1))
      #expect(await iterator.next()?.value == 1)
      #expect(bus.subscriberCount(for: Number.self) == 1)
    }
    #expect(bus.subscriberCount(for: Number.self) == 0)
  }

  @Test("A stream with dropOldest drops and counts its oldest events, and its reader continues") func lag() async {
    let stream = bus.events(of: Number.self, limit: .dropOldest(3))
    var iterator = stream.makeAsyncIterator()
    for value in 0..<10 { #expect(bus.post(Number(value: value)) == 1) }
    #expect(stream.dropped == 7)
    for value in 7..<10 { #expect(await iterator.next()?.value == value) }
    bus.post(Number(value: 10))
    #expect(await iterator.next()?.value == 10)
    #expect(stream.dropped == 7)
  }

  @Test("A full stream with dropNewest rejects newer events and counts them") func lagOfNewest() async {
    let stream = bus.events(of: Number.self, limit: .dropNewest(3))
    var iterator = stream.makeAsyncIterator()
    #expect((0..<5).map { bus.post(Number(value: $0)) } == [1, 1, 1, 0, 0])
    for value in 0..<3 { #expect(await iterator.next()?.value == value) }
    #expect(stream.dropped == 2)
  }

  @Test("By default, a stream holds at most 256 events") func defaultLimit() {
    let stream = bus.events(of: Number.self)
    for value in 0..<300 { bus.post(Number(value: value)) }
    #expect(stream.dropped == 44)
  }

  @Test("An event that waits in a released stream may use the bus in its deinit", arguments: [1, 2, 40])
  func lastWords(count: Int) {
    let (bus, tally, record) = (bus, Tally(), Record<Int>())
    bus.subscribe(to: Number.self) { record.append($0.value) }.store(in: bag)
    var streams = (0..<count).map { _ in bus.events(of: Loading.self) }
    bus.post(
      Loading(
        load: Load(tally) {
          bus.post(Number(value: 1))
          bus.subscribe(to: Loading.self) { _ in }.cancel()
          _ = bus.events(of: Loading.self)
        }))
    while !streams.isEmpty { streams.removeFirst() }
    #expect(tally.living == 0)
    #expect(record.values == [1])
  }

  @Test("Tasks on real threads read all events from each posting thread in order") func realThreads() async {
    let bus = EventBus()
    let count = cycles(20_000)
    let streams = (0..<3).map { _ in bus.events(of: Number.self, limit: .unbounded) }
    let readers = streams.map { stream in
      DispatchRuntime.shared.task {
        var next = [0, 0]
        for await event in stream {
          let poster = event.value / count
          #expect(event.value % count == next[poster])
          next[poster] += 1
          if next == [count, count] { break }
        }
        #expect(next == [count, count])
      }
    }
    await onThreads(2) { poster in for number in 0..<count { bus.post(Number(value: poster * count + number)) } }
    for reader in readers { await reader.value }
  }

  @Test("Under constant posts, cancelled readers end and leave no subscription or event behind")
  func cancelStorm() async {
    let bus = EventBus()
    let tally = Tally()
    let posters = (0..<2).map { _ in
      Elsewhere { for _ in 0..<cycles(20_000) { bus.post(Loading(load: Load(tally))) } }
    }
    for _ in 0..<cycles(500) {
      let stream = bus.events(of: Loading.self)
      let reader = DispatchRuntime.shared.task { for await _ in stream {} }
      reader.cancel()
      await reader.value
    }
    for poster in posters { await poster.end() }
    #expect(bus.subscriberCount(for: Loading.self) == 0)
    #expect(tally.living == 0)
  }

  @Test("A closed stream is unsubscribed, yields its buffered events, and ends") func closed() async {
    let stream = bus.events(of: Number.self)
    for value in 0..<2 { bus.post(Number(value: value)) }
    stream.close()
    stream.close()
    #expect(bus.post(Number(value: 2)) == 0)
    #expect(bus.subscriberCount(for: Number.self) == 0)
    var values: [Int] = []
    for await event in stream { values.append(event.value) }
    #expect(values == [0, 1])
  }

  @Test("close() ends a reader that waits for an event") func closedWhileWaiting() async {
    let record = Record<String>()
    let stream = bus.events(of: Number.self)
    let reader = runtime.task {
      for await _ in stream {}
      record.append("ended")
    }
    runtime.runReady()
    #expect(record.values.isEmpty)
    stream.close()
    runtime.runReady()
    await reader.value
    #expect(record.values == ["ended"])
  }

  @Test("Reading buffered events does not suspend the caller") @MainActor func staysOnTheActor() async {
    let record = Record<String>()
    var iterator = bus.events(of: Number.self).makeAsyncIterator()
    for value in 0..<3 { bus.post(Number(value: value)) }
    let other = Task { record.append("other") }
    for _ in 0..<3 { #expect(await iterator.next(isolation: #isolation) != nil) }
    record.append("read")
    await other.value
    #expect(record.values == ["read", "other"])
  }

  @Test("A task that passes a stream's events to an actor keeps their order") func intoAnActor() async {
    actor Journal {
      var values: [Int] = []
      func handle(_ event: Number) { values.append(event.value) }
    }
    let (bus, journal) = (EventBus(), Journal())
    let stream = bus.events(of: Number.self, limit: .unbounded)
    let reader = Task { for await event in stream { await journal.handle(event) } }
    for value in 0..<1000 { bus.post(Number(value: value)) }
    stream.close()
    await reader.value
    #expect(await journal.values == Array(0..<1000))
  }
}
