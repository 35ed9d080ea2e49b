import EventBus
import PlainText
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

/// A small random program. Its closures, completions and user steps read and write two values, cancel each other, and
/// declare these accesses. With exact timing, it also has timers.
struct GeneratedProgram: Sendable {
  struct Item: Sendable {
    let number: Int
    let scheduler: Int
    let reads: [String]
    let writes: [String]
    /// The number of the item that this one cancels, if that item is delayed and already scheduled.
    let cancels: Int?
    let children: [Item]
  }

  private static let values = ["x", "y"]
  private let timing: Timing
  private let items: [Item]

  init(seed: UInt64, timing: Timing = .any) {
    self.timing = timing
    var generator = SeededGenerator(seed: seed)
    var number = 0
    func item(_ depth: Int) -> Item {
      number += 1
      let own = number
      let reads = Self.values.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
      let writes = Self.values.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      let scheduler = Int.random(in: 0..<(timing == .exact ? 9 : 7), using: &generator)
      let cancels = Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 1...6, using: &generator) : nil
      let count = depth > 0 ? Int.random(in: 0...1, using: &generator) : 0
      return Item(
        number: own, scheduler: scheduler, reads: reads, writes: writes, cancels: cancels,
        children: (0..<count).map { _ in item(depth - 1) })
    }
    let count = Int.random(in: 3...4, using: &generator)
    items = (0..<count).map { _ in item(1) }
  }

  /// - Parameter isHonest: whether the items declare their accesses. Otherwise they declare that they access nothing.
  func run(_ schedule: Schedule, isHonest: Bool = true) -> Verdict {
    let runtime = VirtualRuntime(
      pool: .fixed(width: 2), timing: timing, policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    let (log, state) = (Log(), Locked(["x": 0, "y": 0]))
    let timers = Locked<[Int: any Cancellation]>([:])
    let schedulers = [runtime.main, runtime.serial("a"), runtime.serial("b"), runtime.workers]
    let delaying = [runtime.network("one"), runtime.network("two"), runtime.user, runtime.main, runtime.workers]
    @Sendable func start(_ item: Item) {
      let action = { @Sendable in
        runtime.touches(
          reading: isHonest ? item.reads + (item.cancels.map { ["timer \($0)"] } ?? []) : [],
          writing: isHonest ? item.writes + item.children.map { "timer \($0.number)" } : [])
        for name in item.reads { log.add("\(item.number)\(name)\(state.withLock { $0[name, default: 0] })") }
        for name in item.writes { state.withLock { $0[name] = ($0[name, default: 0] * 7 + item.number) % 10_007 } }
        if let target = item.cancels, let timer = timers.withLock({ $0[target] }) {
          log.add("\(item.number)c\(target)")
          timer.cancel()
        }
        for child in item.children { start(child) }
      }
      if item.scheduler < schedulers.count {
        schedulers[item.scheduler].schedule(action)
      } else {
        // With exact timing, many delays end at the same time.
        let delay = timing == .exact ? item.number % 2 : item.number
        let timer = delaying[item.scheduler - schedulers.count].schedule(after: .seconds(delay), action)
        timers.withLock { $0[item.number] = timer }
      }
    }
    // The items start inside the run, because a delay that is scheduled outside of it does not belong to an item.
    runtime.main.schedule { for item in items { start(item) } }
    runtime.run()
    timers.withLock { $0 = [:] }
    let end = state.withLock { "x\($0["x", default: 0]) y\($0["y", default: 0])" }
    return Verdict(outcome: log.all.sorted().joined(separator: " ") + " " + end, steps: runtime.steps)
  }
}

struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 33)) &* 0xFF51_AFD7_ED55_8CCD
  }
}

@Suite("An exhaustive search", .computing) struct ReducedSearchTests {
  private func statistics(_ search: Search, _ program: (Schedule) -> Verdict) -> Statistics {
    var explorer = Explorer()
    (explorer.schedules, explorer.search, explorer.verifiesDeterminism) = (100_000, search, false)
    return explorer.explore(program).statistics
  }

  @Test(
    "An exhaustive search runs one schedule per class, and still finds all outcomes",
    arguments: [Timing.any, .exact, .slack(.seconds(2))])
  func sound(timing: Timing) {
    var (full, reduced) = (0, 0)
    for seed in 1...UInt64(LongTests.times(10, long: 700)) {
      let program = GeneratedProgram(seed: seed, timing: timing)
      let all = statistics(.bounded(.max)) { program.run($0) }
      let classes = statistics(.exhaustive) { program.run($0) }
      #expect(all.bound?.isEverything == true)
      #expect(classes.reduction?.isEverything == true)
      #expect(classes.reduction?.lie == nil, "\(seed)")
      #expect(Set(classes.outcomes.keys) == Set(all.outcomes.keys), "\(seed)")
      #expect(classes.reduction?.classes ?? 0 <= all.schedules)
      full += all.schedules
      reduced += classes.schedules
    }
    // All orders of timers run, so the search saves less if there are timers.
    #expect(timing == .any ? reduced * 3 < full * 2 : reduced < full, "\(reduced) of \(full)")
  }

  @Test("The audit names items with undeclared accesses, and the search then runs every schedule")
  func lie() throws {
    let program = { (schedule: Schedule) in
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      let log = Log()
      for name in ["a", "b", "c"] {
        runtime.serial("place of \(name)").schedule {
          runtime.note(name)
          runtime.touches(writing: name == "c" ? ["c"] : [])
          if name != "c" { log.add(name) }
        }
      }
      runtime.run()
      return Verdict(outcome: log.text, steps: runtime.steps)
    }
    let found = statistics(.exhaustive, program)
    let lie = try #require(found.reduction?.lie)
    #expect(lie.contains("“a” on place of a and “b” on place of b"))
    #expect(found.outcomes.keys.sorted() == ["a b", "b a"])
    #expect(found.bound?.isEverything == true)
    #expect("\(found)".contains("access something that they do not declare"))
  }

  @Test("No outcome is lost if the items of a random program declare too few accesses")
  func lies() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let program = GeneratedProgram(seed: seed)
      let all = statistics(.bounded(.max)) { program.run($0, isHonest: false) }
      let found = statistics(.exhaustive) { program.run($0, isHonest: false) }
      #expect(Set(found.outcomes.keys) == Set(all.outcomes.keys), "\(seed)")
    }
  }

  @Test("If the items declare no accesses, an exhaustive search runs every schedule", arguments: Model.allCases)
  func opaque(_ model: Model) {
    let found = statistics(.exhaustive) { model.run($0) }
    #expect(found.reduction?.isEverything == true)
    #expect(Set(found.outcomes.keys) == Set(model.everySchedule().map(\.outcome)))
    #expect(found.schedules == model.everySchedule().count)
  }

  @Test("For independent items, an exhaustive search needs one schedule to cover all orders")
  func independent() {
    let found = statistics(.exhaustive) { schedule in
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      for name in ["a", "b", "c", "d"] { runtime.serial(name).schedule { runtime.touches(writing: [name]) } }
      runtime.run()
      return Verdict(steps: runtime.steps)
    }
    #expect(found.reduction?.classes == 1)
    #expect(found.outcomes.count == 1)
    #expect("\(found)".contains("all orders of whole items, reduced to 1 class by what the items declare"))
  }

  @Test("With exact timing, two requests are dependent if their order decides the order of the responses")
  func answersTogether() {
    let found = statistics(.exhaustive) { schedule in
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      let (log, network) = (Log(), runtime.network("network"))
      for name in ["a", "b"] {
        runtime.serial(name).schedule {
          runtime.touches()
          _ = network.schedule(after: .seconds(1)) {
            runtime.touches(writing: ["log"])
            log.add(name)
          }
        }
      }
      runtime.run()
      return Verdict(outcome: log.text, steps: runtime.steps)
    }
    #expect(found.outcomes.keys.sorted() == ["a b", "b a"])
    #expect(found.reduction?.isEverything == true)
  }

  @Test("A cancel depends only on the item that it cancels, whether or not that item has run")
  func cancel() {
    let found = statistics(.exhaustive) { schedule in
      let runtime = VirtualRuntime(timing: .any, policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      let log = Log()
      let (network, others, scheduler) = (
        runtime.network("network"), runtime.network("others"), runtime.serial("place")
      )
      runtime.main.schedule {
        let timer = network.schedule(after: .seconds(1)) {
          runtime.touches(writing: ["log"])
          log.add("answer")
        }
        for second in 2...3 { _ = others.schedule(after: .seconds(second)) { runtime.touches() } }
        scheduler.schedule {
          runtime.touches()
          timer.cancel()
        }
      }
      runtime.run()
      return Verdict(outcome: log.text, steps: runtime.steps)
    }
    #expect(found.outcomes.keys.sorted() == ["", "answer"])
    #expect(found.reduction?.lie == nil && found.bound == nil)
    // The other two completions share a scheduler, and run in both orders.
    #expect(found.reduction?.classes == 4)
  }

  @Test("An exhaustive search minimizes the failure that it finds")
  func failure() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(search: .exhaustive) { runtime in
        let log = Log()
        for name in ["a", "b", "c"] {
          runtime.serial(name).schedule {
            runtime.touches(writing: name == "c" ? ["other"] : ["log"])
            if name != "c" { log.add(name) }
          }
        }
        return { try check(log.text == "a b", log.text) }
      }
    }
    #expect(failure.foundBy == .exhaustive)
    #expect(failure.token.deviations.cost == 1 && failure.isMinimal)
  }
}
