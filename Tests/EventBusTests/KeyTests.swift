public import EventBus
import Synchronization
public import TestMachine
import Testing

/// An event that has a key only if its value is hashable.
struct Arrived<Value: Sendable>: Event { let value: Value }

extension Arrived: KeyedEvent where Value: Hashable { var key: Value { value } }

struct ArrivedAndKept<Value: Sendable>: Event {
  static var replay: Int { 1 }
  let value: Value
}

extension ArrivedAndKept: KeyedEvent where Value: Hashable { var key: Value { value } }

/// An event without a key, and a subclass that adds one.
class Plain: Event, @unchecked Sendable {}

final class Keyed: Plain, KeyedEvent, @unchecked Sendable {
  let key: String

  init(key: String) { self.key = key }
}

extension ForeignEvent: KeyedEvent {
  public var key: String { name }
}

/// A key that counts its hashes.
private struct CountedKey: Hashable {
  static let hashed = Atomic(0)
  let value: Int

  func hash(into hasher: inout Hasher) {
    Self.hashed.wrappingAdd(1, ordering: .relaxed)
    hasher.combine(value)
  }
}

private struct Counted: KeyedEvent { let key: CountedKey }

private struct LoadKey: Hashable {
  let number: Int
  let load: Load

  static func == (one: LoadKey, other: LoadKey) -> Bool { one.number == other.number }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

private struct LoadKeyed: KeyedEvent { let key: LoadKey }

@Suite("The bus uses an event's key, wherever its type declares the conformance") struct KeyTests {
  let bus = EventBus()
  let bag = Bag()
  let record = Record<String>()

  @Test("A generic event with a conditional key reaches the subscribers to its key") func conditional() {
    bus.subscribe(to: Arrived<Int>.self, key: 1) { [record] in record.append("one \($0.value)") }.store(in: bag)
    bus.subscribe(to: Arrived<Int>.self) { [record] in record.append("all \($0.value)") }.store(in: bag)
    for value in 1...2 { bus.post(Arrived(value: value)) }
    #expect(record.values == ["one 1", "all 1", "all 2"])
  }

  @Test("A generic event whose condition for a key does not hold is delivered without a key")
  func conditionDoesNotHold() {
    bus.subscribe(to: Arrived<@Sendable () -> Void>.self) { [record] _ in record.append("called") }.store(in: bag)
    #expect(bus.post(Arrived<@Sendable () -> Void>(value: {})) == 1)
    #expect(record.values == ["called"])
  }

  @Test("The bus replays the newest event of each key, even if it was posted before any subscription")
  func conditionalReplay() {
    func post(_ event: some Event) { bus.post(event) }
    for value in 1...3 { post(ArrivedAndKept(value: value)) }
    #expect(bus.last(ArrivedAndKept<Int>.self, key: 2)?.value == 2)
    bus.subscribe(to: ArrivedAndKept<Int>.self, key: 1) { [record] in record.append("\($0.value)") }.store(in: bag)
    #expect(record.values == ["1"])
  }

  @Test("The bus treats a key that is not equal to itself, such as NaN, as one key") func unequalToItself() {
    bus.subscribe(to: ArrivedAndKept<Double>.self, key: .nan) { [record] _ in record.append("called") }.store(in: bag)
    for _ in 0..<3 { #expect(bus.post(ArrivedAndKept(value: Double.nan)) == 1) }
    bus.post(ArrivedAndKept(value: 1.0))
    #expect(record.values == ["called", "called", "called"])
    #expect(bus.last(ArrivedAndKept<Double>.self, key: .nan)?.value.isNaN == true)
    #expect(bus.forget(ArrivedAndKept<Double>.self, key: .nan).count == 1)
    #expect(bus.last(ArrivedAndKept<Double>.self, key: .nan) == nil)
    #expect(bus.forget(ArrivedAndKept<Double>.self).map(\.value) == [1])
  }

  @Test("A subclass that adds a key reaches the subscribers to its key") func subclass() {
    bus.subscribe(to: Keyed.self, key: "a") { [record] in record.append($0.key) }.store(in: bag)
    #expect(bus.post(Keyed(key: "a")) == 1)
    #expect(bus.post(Keyed(key: "b")) == 0)
    // The static type of the event is the topic.
    #expect(bus.post(Keyed(key: "a") as Plain) == 0)
    #expect(record.values == ["a"])
  }

  @Test("A key that this module adds to another module's event type works even after an event has been posted")
  func otherModule() {
    bus.subscribe(to: ForeignEvent.self) { [record] in record.append("all \($0.name)") }.store(in: bag)
    bus.post(ForeignEvent(name: "a"))
    bus.subscribe(to: ForeignEvent.self, key: "b") { [record] in record.append("one \($0.name)") }.store(in: bag)
    bus.post(ForeignEvent(name: "b"))
    #expect(record.values == ["all a", "all b", "one b"])
  }

  @Test("The bus does not hash a key if no subscriber uses one") func unusedKeys() {
    bus.subscribe(to: Counted.self) { _ in }.store(in: bag)
    for value in 0..<10 { bus.post(Counted(key: CountedKey(value: value))) }
    #expect(CountedKey.hashed.load(ordering: .relaxed) == 0)
    bus.subscribe(to: Counted.self, key: CountedKey(value: 1)) { _ in }.cancel()
    let before = CountedKey.hashed.load(ordering: .relaxed)
    bus.post(Counted(key: CountedKey(value: 1)))
    #expect(CountedKey.hashed.load(ordering: .relaxed) == before)
  }

  @Test("The bus releases a key with its last subscription") func keysAreReleased() {
    let tally = Tally()
    for number in 0..<20 {
      bus.subscribe(to: LoadKeyed.self, key: LoadKey(number: number, load: Load(Tally()))) { _ in }.store(in: bag)
    }
    for number in 100..<110 {
      bus.subscribe(to: LoadKeyed.self, key: LoadKey(number: number, load: Load(tally))) { _ in }.cancel()
      #expect(tally.living == 0)
    }
    #expect(bus.post(LoadKeyed(key: LoadKey(number: 3, load: Load(tally)))) == 1)
  }

  @Test("While subscriptions to some keys come and go, the bus loses no event with another key")
  func comingAndGoing() async {
    let bus = bus
    let counts = (0..<8).map { _ in Unprotected() }
    for (key, count) in counts.enumerated() {
      bus.subscribe(to: Arrived<Int>.self, key: key) { _ in count.count += 1 }.store(in: bag)
    }
    let rounds = cycles(20_000)
    await onThreads(2) { thread in
      guard thread == 0 else {
        for round in 0..<rounds { bus.subscribe(to: Arrived<Int>.self, key: 100 + round % 50) { _ in }.cancel() }
        return
      }
      for round in 0..<rounds { bus.post(Arrived(value: round % 8)) }
    }
    #expect(counts.map(\.count).reduce(0, +) == rounds)
  }
}
