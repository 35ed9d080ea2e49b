import EventBus
import PlainText
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

private struct Number: Event {
  let value: Int
}

private struct Sticky: Event {
  static var replay: Int { 2 }
  let value: Int
}

/// The guarantees of the bus that depend on the order of events. Each test runs schedules with at most three
/// deviations, and random ones.
@Suite("Guarantees of the bus in each explored schedule", .computing) struct BusGuaranteeTests {
  /// The bounded search with at most three deviations, and the mixed search.
  static let searches = [Search.bounded(3), .mixed]

  private func explore(
    _ search: Search, _ body: (VirtualRuntime) throws -> () throws -> String
  ) throws {
    let bounded = LongTests.areEnabled ? 2_000_000 : 300
    let schedules = search == .mixed && LongTests.areEnabled ? 10_000 : bounded
    let statistics = try ScheduleExplorer.explore(
      schedules: schedules, search: search, timing: .any, pool: .fixed(width: 2), body
    ).statistics
    #expect(statistics.schedules > 1)
    if LongTests.areEnabled, search != .mixed { #expect(statistics.bound?.deviations == 3) }
  }

  @Test(
    "The bus keeps the order of each poster, and all queued subscribers see the same order (rule 2)",
    arguments: searches)
  func order(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, inline, main, queue) = (EventBus(runtime: runtime), Log(), Log(), Log())
      let subscriptions = [
        bus.subscribe(to: Number.self) { inline.add("\($0.value)") },
        bus.subscribe(to: Number.self, on: .scheduler(runtime.main)) { main.add("\($0.value)") },
        bus.subscribe(to: Number.self, on: .scheduler(runtime.serial("queue"))) { queue.add("\($0.value)") },
      ]
      for (name, values) in [("one", [11, 12]), ("two", [21, 22])] {
        let scheduler = runtime.serial(name)
        for value in values { scheduler.schedule { bus.post(Number(value: value)) } }
      }
      return {
        withExtendedLifetime(subscriptions) {}
        for log in [inline, main, queue] {
          try check(log.all.sorted() == ["11", "12", "21", "22"], log.text)
          for poster in ["1", "2"] {
            let own = log.all.filter { $0.hasPrefix(poster) }
            try check(own == own.sorted(), log.text)
          }
        }
        try check(main.all == queue.all, "\(main.text) and \(queue.text)")
        return main.text
      }
    }
  }

  @Test("The bus delivers a handler's post after the event that caused it (rule 2)", arguments: searches)
  func breadthFirst(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, first, second) = (EventBus(runtime: runtime), Log(), Log())
      let subscriptions = [
        bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) { event in
          first.add("\(event.value)")
          if event.value < 10 { bus.post(Number(value: event.value + 10)) }
        },
        bus.subscribe(to: Number.self, on: .scheduler(runtime.main)) { second.add("\($0.value)") },
      ]
      for value in 1...2 { runtime.serial("poster").schedule { bus.post(Number(value: value)) } }
      return {
        withExtendedLifetime(subscriptions) {}
        for log in [first, second] {
          for value in ["1", "2"] {
            let (cause, consequence) = (log.all.firstIndex(of: value), log.all.firstIndex(of: "1" + value))
            try check(cause ?? 9 < consequence ?? -1, log.text)
          }
        }
        try check(first.all == second.all, "\(first.text) and \(second.text)")
        return first.text
      }
    }
  }

  @Test(
    "The bus never calls a cancelled handler, and releases its captures (rule 3)",
    arguments: searches)
  func cancel(_ search: Search) throws {
    final class Captured: Sendable {}
    try explore(search) { runtime in
      let (bus, log) = (EventBus(runtime: runtime), Log())
      var captured: Captured? = Captured()
      weak let released = captured
      let subscription = bus.subscribe(to: Number.self, on: .scheduler(runtime.main)) { [captured] _ in
        withExtendedLifetime(captured) {}
        log.add("call")
      }
      captured = nil
      for name in ["one", "two"] { runtime.serial(name).schedule { bus.post(Number(value: 1)) } }
      runtime.main.schedule {
        runtime.main.schedule {
          subscription.cancel()
          log.add("cancelled")
        }
      }
      return {
        try check(log.all.last == "cancelled", log.text)
        try check(released == nil, "what the handler captured is left")
        return log.text
      }
    }
  }

  @Test("No handler runs after cancelAndWait returns (rule 3)", arguments: searches)
  func cancelAndWait(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, log, gate) = (EventBus(runtime: runtime), Log(), runtime.gate())
      let subscription = bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) { _ in
        log.add("begin")
        gate.wait()
        log.add("end")
      }
      for _ in 0..<2 { runtime.serial("poster").schedule { bus.post(Number(value: 1)) } }
      for name in ["opener", "other opener"] { runtime.serial(name).schedule { gate.open() } }
      runtime.serial("canceller").schedule {
        subscription.cancelAndWait()
        log.add("freed")
      }
      return {
        try check(log.all.last == "freed", log.text)
        return log.text
      }
    }
  }

  @Test(
    "A late subscriber receives the replayed events, and then the live ones (rule 7)",
    arguments: searches, [true, false])
  func replay(_ search: Search, isInline: Bool) throws {
    try explore(search) { runtime in
      let (bus, log, kept) = (EventBus(runtime: runtime), Log(), Locked<[Subscription]>([]))
      let poster = runtime.serial("poster")
      for value in 1...4 { poster.schedule { bus.post(Sticky(value: value)) } }
      runtime.serial("subscriber").schedule {
        let gate = runtime.gate()
        // While the handler waits in its first call, more events can be posted.
        runtime.serial("opener").schedule { gate.open() }
        let delivery = isInline ? Delivery.posting : .scheduler(runtime.serial("place"))
        let subscription = bus.subscribe(to: Sticky.self, on: delivery) { event in
          if log.all.isEmpty { gate.wait() }
          log.add("\(event.value)")
        }
        kept.withLock { $0.append(subscription) }
      }
      return {
        kept.withLock { $0 = [] }
        let seen = log.all.compactMap { Int($0) }
        try check(seen.first.map { seen == Array($0...4) } ?? false, log.text)
        return log.text
      }
    }
  }

  @Test("A full mailbox keeps the newest events and counts the dropped ones (rule 8)", arguments: searches)
  func loss(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, slow, quick) = (EventBus(runtime: runtime), Log(), Log())
      let limited = bus.subscribe(to: Number.self, on: .scheduler(runtime.main, limit: .dropOldest(2))) {
        slow.add("\($0.value)")
      }
      let other = bus.subscribe(to: Number.self, on: .scheduler(runtime.main)) { quick.add("\($0.value)") }
      let poster = runtime.serial("poster")
      for value in 1...4 { poster.schedule { bus.post(Number(value: value)) } }
      return {
        withExtendedLifetime(other) {}
        try check(slow.all.count + limited.dropped == 4, "\(slow.text) and \(limited.dropped) lost")
        try check(slow.all == slow.all.sorted() && slow.all.suffix(2) == ["3", "4"], slow.text)
        try check(quick.all == ["1", "2", "3", "4"], quick.text)
        return slow.text
      }
    }
  }

  @Test("A drain ends after all earlier events, and the events that they caused, are handled", arguments: searches)
  func drain(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, log) = (EventBus(runtime: runtime), Log())
      let subscriptions = [
        bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) { event in
          log.add("w\(event.value)")
          if event.value == 1 { bus.post(Number(value: 2)) }
        },
        bus.subscribe(to: Number.self, on: .scheduler(runtime.main)) { log.add("m\($0.value)") },
      ]
      bus.post(Number(value: 1))
      runtime.serial("other").schedule { bus.post(Number(value: 3)) }
      let drained = Locked<[String]?>(nil)
      _ = runtime.task {
        guard await bus.drain() else { return }
        drained.withLock { $0 = log.all }
      }
      return {
        withExtendedLifetime(subscriptions) {}
        let handled = drained.withLock { $0 } ?? []
        for entry in ["w1", "w2", "m1", "m2"] { try check(handled.contains(entry), handled.joined(separator: " ")) }
        return log.text
      }
    }
  }

  @Test(
    "A stream yields the events since its creation in order, and counts the dropped ones (rule 8)",
    arguments: searches)
  func streams(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, read) = (EventBus(runtime: runtime), Log())
      let stream = bus.events(of: Number.self, limit: .dropNewest(3))
      let poster = runtime.serial("poster")
      for value in 1...4 { poster.schedule { bus.post(Number(value: value)) } }
      let end = Log()
      let task = runtime.task {
        for await event in stream { read.add("\(event.value)") }
        end.add("ended")
      }
      _ = runtime.main.schedule(after: .seconds(1)) { task.cancel() }
      return {
        try check(end.all == ["ended"], "the stream has no end")
        try check(read.all.count + stream.dropped == 4, "\(read.text) and \(stream.dropped) lost")
        try check(read.all == ["1", "2", "3", "4"].filter { read.all.contains($0) }, read.text)
        try check(read.all.starts(with: ["1", "2", "3"]), read.text)
        return read.text
      }
    }
  }

  @Test("A subscription on the workers handles one event at a time", arguments: searches)
  func oneAtATime(_ search: Search) throws {
    try explore(search) { runtime in
      let (bus, log) = (EventBus(runtime: runtime), Log())
      let subscription = bus.subscribe(to: Number.self, on: .scheduler(runtime.workers)) { event in
        let gate = runtime.gate()
        log.add("+\(event.value)")
        runtime.serial("opener").schedule { gate.open() }
        gate.wait()
        log.add("-\(event.value)")
      }
      for value in 1...3 { runtime.serial("poster").schedule { bus.post(Number(value: value)) } }
      return {
        withExtendedLifetime(subscription) {}
        try check(log.all.count == 6, log.text)
        for pair in stride(from: 0, to: 6, by: 2) {
          try check(log.all[pair].dropFirst() == log.all[pair + 1].dropFirst(), log.text)
        }
        return log.text
      }
    }
  }
}
