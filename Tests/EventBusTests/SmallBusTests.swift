import Dispatch
import EventBus
import Foundation
import SmallBus
import Synchronization
import TestMachine
import Testing

/// The guarantees that the page `FromASmallBus.md` claims for the small bus. `SmallBusExamples` shows what it breaks.
@Suite("The small bus keeps the guarantees that its page claims") struct SmallBusTests {
  let bus = SmallBus()
  let bag = Bag()
  let record = Record<String>()

  @Test("Each type and each generic specialization is a separate topic") func types() {
    let record = record
    bus.subscribe(to: Loaded<Int>.self) { record.append("number \($0.value)") }.store(in: bag)
    bus.subscribe(to: Loaded<String>.self) { record.append("text \($0.value)") }.store(in: bag)
    #expect(bus.post(Loaded(value: "a")) == 1)
    #expect(bus.post(Loaded(value: 1)) == 1)
    #expect(bus.post(Number(value: 2)) == 0)
    #expect(record.values == ["text a", "number 1"])
  }

  @Test("Subscribers are called in registration order, even after others are removed") func order() {
    let record = record
    var subscriptions = (0..<10).map { index in bus.subscribe(to: Number.self) { _ in record.append("\(index)") } }
    for index in [7, 4, 0] { subscriptions.remove(at: index) }
    subscriptions.append(bus.subscribe(to: Number.self) { _ in record.append("last") })
    #expect(bus.post(Number(value: 0)) == 8)
    #expect(record.values == ["1", "2", "3", "5", "6", "8", "9", "last"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A cancel or the release of the token ends a subscription") func tokens() {
    let tally = Tally()
    let cancelled = bus.subscribe(to: Number.self) { [load = Load(tally)] _ in load.use() }
    var released: SmallBus.Subscription? = bus.subscribe(to: Number.self) { [load = Load(tally)] _ in load.use() }
    #expect(bus.post(Number(value: 0)) == 2)
    #expect(tally.living == 2)
    cancelled.cancel()
    cancelled.cancel()
    #expect(bus.post(Number(value: 0)) == 1)
    withExtendedLifetime(released) {}
    released = nil
    #expect(bus.post(Number(value: 0)) == 0)
    #expect(tally.living == 0)
  }

  @Test("A token that outlives its bus is harmless") func tokenOutlivesBus() {
    let tally = Tally()
    var bus: SmallBus? = SmallBus()
    let subscription = bus?.subscribe(to: Number.self) { [load = Load(tally)] _ in load.use() }
    #expect(bus?.post(Number(value: 0)) == 1)
    bus = nil
    #expect(tally.living == 0)
    subscription?.cancel()
  }

  @Test("A post does not wait for main, and main receives a thread's events in order")
  @MainActor func main() async {
    let (bus, record) = (bus, record)
    bus.subscribe(to: Number.self, on: .main) {
      dispatchPrecondition(condition: .onQueue(.main))
      record.append("main \($0.value)")
    }.store(in: bag)
    await onThreads(1) { _ in for value in 0..<3 { bus.post(Number(value: value)) } }
    // This runs on main, so a post that waited for it would not return.
    bus.post(Number(value: 3))
    record.append("posted")
    await settle(DispatchRuntime.shared.main)
    #expect(record.values.filter { $0 != "posted" } == ["main 0", "main 1", "main 2", "main 3"])
    #expect(record.values.last == "main 3")
  }

  @Test("The small bus holds no lock while a handler or a deinit uses it", .timeLimit(.minutes(1))) func locks() {
    let (bus, bag, record, tally) = (bus, bag, record, Tally())
    bus.subscribe(to: Number.self) { event in
      record.append("first \(event.value)")
      bus.subscribe(to: Other.self) { record.append("other \($0.value)") }.store(in: bag)
      bus.post(Other(value: event.value))
    }.store(in: bag)
    let talkative = bus.subscribe(to: Number.self) { [load = Load(tally) { bus.post(Number(value: 2)) }] _ in
      load.use()
    }
    bus.post(Number(value: 1))
    talkative.cancel()
    #expect(tally.living == 0)
    #expect(record.values == ["first 1", "other 1", "first 2", "other 2", "other 2"])
  }

  @Test("The small bus loses no call while threads subscribe, post, and cancel concurrently") func threads() async {
    let bus = bus
    let heard = Atomic(0)
    bus.subscribe(to: Number.self) { _ in heard.add(1, ordering: .relaxed) }.store(in: bag)
    await onThreads(8) { _ in
      for value in 0..<cycles(2000) {
        let passing = bus.subscribe(to: Number.self) { _ in }
        bus.post(Number(value: value))
        passing.cancel()
      }
    }
    #expect(heard.load(ordering: .relaxed) == 8 * cycles(2000))
    #expect(bus.post(Number(value: 0)) == 1)
  }

  @Test("The small bus is one file with the number of lines that the page states") func size() throws {
    let folder = packageRoot.appending(path: "Sources/SmallBus")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasSuffix(".swift") } == ["SmallBus.swift"])
    let source = try String(contentsOf: folder.appending(path: "SmallBus.swift"), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect((120...150).contains(lines.count))
    let page = packageRoot.appending(path: "Sources/EventBus/EventBus.docc/FromASmallBus.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("a \(lines.count)-line bus"))
    #expect(lines.filter { $0.contains("import ") } == ["import Dispatch", "import Foundation"])
  }
}

extension SmallBus.Subscription {
  fileprivate func store(in bag: Bag) { bag.keep(self) }
}
