import EventBus
import TestMachine
import Testing
import VirtualTime

@Suite("A stream gives its events to one iteration at a time", .childProcesses) struct StreamIterationTests {
  let bus = EventBus(runtime: ManualRuntime())

  @Test("A loop that breaks leaves the remaining events for the next loop") func loopAfterLoop() async {
    let stream = bus.events(of: Number.self)
    for value in 0..<6 { bus.post(Number(value: value)) }
    var values: [Int] = []
    for await event in stream {
      values.append(event.value)
      if event.value == 1 { break }
    }
    #expect(bus.subscriberCount(for: Number.self) == 1)
    for await event in stream where event.value >= 3 {
      values.append(event.value)
      break
    }
    bus.post(Number(value: 6))
    stream.close()
    for await event in stream { values.append(event.value) }
    #expect(values == [0, 1, 3, 4, 5, 6])
  }

  @Test("A loop that throws or returns leaves the remaining events for the next loop") func otherWaysOut() async throws
  {
    struct Enough: Error {}
    let stream = bus.events(of: Number.self)
    for value in 0..<4 { bus.post(Number(value: value)) }
    func first() async -> Int? {
      for await event in stream { return event.value }
      return nil
    }
    #expect(await first() == 0)
    await #expect(throws: Enough.self) { for await event in stream where event.value == 1 { throw Enough() } }
    #expect(await stream.first { _ in true }?.value == 2)
    #expect(await first() == 3)
  }

  @Test("An iterator that reads nothing does not block other iterators") func unused() async {
    let stream = bus.events(of: Number.self)
    let unused = stream.makeAsyncIterator()
    var reading = stream.makeAsyncIterator()
    bus.post(Number(value: 1))
    #expect(await reading.next()?.value == 1)
    withExtendedLifetime(unused) {}
  }

  @Test("An iterator that is not released does not block later loops of its task") func kept() async {
    let stream = bus.events(of: Number.self)
    for value in 0..<4 { bus.post(Number(value: value)) }
    // This also occurs at the top level of a program, where the iterator of a loop is never released.
    var kept = stream.makeAsyncIterator()
    #expect(await kept.next()?.value == 0)
    var values: [Int] = []
    for await event in stream {
      values.append(event.value)
      if event.value == 2 { break }
    }
    #expect(values == [1, 2])
    #expect(await kept.next()?.value == 3)
  }

  @Test("An inner loop over the same stream reads the next event, and the outer loop continues after it")
  func nested() async {
    let stream = bus.events(of: Number.self)
    for value in 0..<6 { bus.post(Number(value: value)) }
    stream.close()
    var (outer, inner): ([Int], [Int]) = ([], [])
    for await event in stream {
      outer.append(event.value)
      for await event in stream {
        inner.append(event.value)
        break
      }
    }
    #expect(outer == [0, 2, 4])
    #expect(inner == [1, 3, 5])
  }

  @Test("Copies of an iterator share one iteration") func copies() async {
    let stream = bus.events(of: Number.self)
    for value in 0..<4 { bus.post(Number(value: value)) }
    var kept: EventStream<Number>.Iterator?
    do {
      var iterator = stream.makeAsyncIterator()
      kept = iterator
      #expect(await iterator.next()?.value == 0)
      #expect(await kept?.next()?.value == 1)
    }
    #expect(await kept?.next()?.value == 2)
    kept = nil
    var next = stream.makeAsyncIterator()
    #expect(await next.next()?.value == 3)
  }

  @Test("A second concurrent iteration gets nil, is reported once, and does not end the first")
  func second() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let bus = EventBus()
      let stream = bus.events(of: Number.self, fileID: "Sample/File.swift", line: 42)
      for value in 0..<4 { bus.post(Number(value: value)) }
      var first: EventStream<Number>.Iterator? = stream.makeAsyncIterator()
      var second = stream.makeAsyncIterator()
      requireEqual(await first?.next()?.value, 0)
      requireEqual(await second.next()?.value, nil)
      await Task { for await _ in stream { preconditionFailure("The loop was given an event.") } }.value
      requireEqual(await first?.next()?.value, 1)
      first = nil
      // The second iteration has ended, even if the stream yields more events to others.
      requireEqual(await second.next()?.value, nil)
      var third = stream.makeAsyncIterator()
      requireEqual(await third.next()?.value, 2)
      requireEqual(await third.next()?.value, 3)
      requireEqual(bus.subscriberCount(for: Number.self), 1)
    }
    #expect(try lines(result) == [Self.report])
  }

  @Test("A second iteration in a cancelled task does not end the first and is not reported")
  func cancelledSecond() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let bus = EventBus()
      let stream = bus.events(of: Number.self, fileID: "Sample/File.swift", line: 42)
      var first = stream.makeAsyncIterator()
      for value in 0..<2 { bus.post(Number(value: value)) }
      requireEqual(await first.next()?.value, 0)
      let second = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in stream { preconditionFailure("The loop was given an event.") }
      }
      await second.value
      requireEqual(await first.next()?.value, 1)
    }
    #expect(try lines(result) == [])
  }

  @Test("If two tasks wait with copies of an iterator, one gets nil and the other gets the next event")
  func twoTasks() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      let bus = EventBus(runtime: runtime)
      let stream = bus.events(of: Number.self, fileID: "Sample/File.swift", line: 42)
      let iterator = stream.makeAsyncIterator()
      let record = Record<Int?>()
      let tasks = (0..<2).map { _ in
        nonisolated(unsafe) var copy = iterator
        return runtime.task { record.append(await copy.next()?.value) }
      }
      runtime.runReady()
      precondition(record.values == [nil], "\(record.values)")
      bus.post(Number(value: 7))
      runtime.runReady()
      for task in tasks { await task.value }
      precondition(record.values == [nil, 7], "\(record.values)")
      precondition(bus.subscriberCount(for: Number.self) == 1, "The stream has ended.")
    }
    #expect(try lines(result) == [Self.report])
  }

  @Test("While a call of next() is pending, no other iteration gets an event") func pending() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let runtime = ManualRuntime()
      let bus = EventBus(runtime: runtime)
      let stream = bus.events(of: Number.self, fileID: "Sample/File.swift", line: 42)
      let record = Record<Int?>()
      let reader = {
        nonisolated(unsafe) var iterator = stream.makeAsyncIterator()
        return runtime.task { record.append(await iterator.next()?.value) }
      }()
      runtime.runReady()
      for await _ in stream { preconditionFailure("The loop was given an event.") }
      bus.post(Number(value: 1))
      runtime.runReady()
      await reader.value
      precondition(record.values == [1], "\(record.values)")
      bus.post(Number(value: 2))
      for await event in stream {
        precondition(event.value == 2)
        break
      }
    }
    #expect(try lines(result) == [Self.report])
  }

  @Test("A released stream ends when its last iterator is released") func released() async {
    func iterator() async -> EventStream<Number>.Iterator {
      let stream = bus.events(of: Number.self)
      for value in 0..<2 { bus.post(Number(value: value)) }
      for await _ in stream { break }
      return stream.makeAsyncIterator()
    }
    do {
      var last = await iterator()
      #expect(await last.next()?.value == 1)
      #expect(bus.subscriberCount(for: Number.self) == 1)
    }
    #expect(bus.subscriberCount(for: Number.self) == 0)
  }

  @Test("Tasks that read a stream in turns read each event once and in order") func byTurns() async {
    let bus = EventBus()
    let count = cycles(10_000)
    let stream = bus.events(of: Number.self, limit: .unbounded)
    let poster = Elsewhere { for value in 0..<count { bus.post(Number(value: value)) } }
    var values: [Int] = []
    while values.count < count {
      let turn = Task {
        var taken: [Int] = []
        for await event in stream {
          taken.append(event.value)
          if event.value % 3 == 0 || event.value == count - 1 { break }
        }
        return taken
      }
      values += await turn.value
    }
    await poster.end()
    #expect(values == Array(0..<count))
  }

  @Test("Tasks that iterate concurrently lose no event and repeat none") func atOnce() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let bus = EventBus()
      let count = cycles(10_000)
      let stream = bus.events(of: Number.self, limit: .unbounded, fileID: "Sample/File.swift", line: 42)
      let record = Record<Int>()
      let tasks = (0..<4).map { _ in
        Task.detached {
          while record.values.count < count {
            for await event in stream {
              record.append(event.value)
              if event.value % 50 == 0 { break }
            }
            await Task.yield()
          }
        }
      }
      for value in 0..<count { bus.post(Number(value: value)) }
      stream.close()
      for task in tasks { await task.value }
      precondition(record.values == Array(0..<count), "The tasks read \(record.values.count) events.")
    }
    #expect(try lines(result).allSatisfy { $0 == Self.report })
    #expect(try lines(result).count <= 1)
  }

  private static let report =
    "Sample/File.swift:42: a second iteration of a stream of Number began before the first ended, and gets no events; "
    + "create another stream for it"

  /// Returns the lines that the bus wrote to standard error. An exit test may print others.
  private func lines(_ result: ExitTest.Result?) throws -> [String] {
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return output.split(separator: "\n").map(String.init).filter { $0.contains("Sample/File.swift") }
  }
}

/// Stops the exit test if the values differ.
private func requireEqual(_ value: Int?, _ expected: Int?) {
  precondition(value == expected, "\(String(describing: value)) is not \(String(describing: expected))")
}
