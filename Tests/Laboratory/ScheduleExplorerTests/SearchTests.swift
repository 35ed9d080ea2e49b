import EventBus
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

@Suite("Search algorithms", .computing) struct SearchTests {
  @Test("With exact timing, a search finds both orders of two equal sleeps")
  func equalDelays() throws {
    let statistics = try explore { runtime in
      let log = Log()
      for name in ["a", "b"] {
        _ = runtime.task {
          await runtime.sleep(for: .seconds(1))
          log.add(name)
        }
      }
      return { log.all.joined() }
    }.statistics
    #expect(Set(statistics.outcomes.keys) == ["ab", "ba"])
    #expect(statistics.bound?.isEverything == true)
  }

  @Test(
    "Equal delays on one scheduler keep their order, and so do the user's steps",
    arguments: [.exact, .any, .slack(.seconds(1))] as [Timing])
  func keptOrder(timing: Timing) throws {
    let delays = try explore(search: .bounded(100), timing: timing) { runtime in
      let log = Log()
      runtime.main.schedule { log.add("A") }
      for name in ["1", "2"] { _ = runtime.main.schedule(after: .zero) { log.add(name) } }
      return { log.all.joined() }
    }.statistics
    #expect(Set(delays.outcomes.keys) == ["A12"])
    let steps = try explore(search: .bounded(100), timing: timing) { runtime in
      let log = Log()
      runtime.main.schedule { log.add("A") }
      for second in 1...2 { _ = runtime.user.schedule(after: .seconds(second)) { log.add("\(second)") } }
      return { log.all.joined() }
    }.statistics
    #expect(Set(steps.outcomes.keys).isSubset(of: ["A12", "1A2", "12A"]))
    #expect(steps.bound?.isEverything == true)
  }

  @Test("An open gate admits any of the waiting items, or one that arrives later")
  func gatesAreNotFair() throws {
    // An item that has passed opens the gate for the next one.
    let waiting = try explore { runtime in
      let (log, gate) = (Log(), runtime.gate())
      for name in ["a", "b"] {
        runtime.serial(name).schedule {
          log.add(name)
          gate.wait()
          log.add(name.uppercased())
          gate.open()
        }
      }
      runtime.serial("opener").schedule { gate.open() }
      return { log.text }
    }.statistics
    #expect(Set(waiting.outcomes.keys) == ["a b A B", "a b B A", "a A b B", "b a A B", "b a B A", "b B a A"])
    #expect(waiting.bound?.isEverything == true)

    let taking = try explore { runtime in
      let (log, gate) = (Log(), runtime.gate())
      runtime.serial("waits").schedule {
        log.add("a")
        gate.wait()
        log.add("A")
        gate.open()
      }
      runtime.serial("opens").schedule {
        gate.open()
        log.add("opened")
        gate.wait()
        log.add("B")
        gate.open()
      }
      return { log.text }
    }.statistics
    #expect(Set(taking.outcomes.keys) == ["a opened A B", "a opened B A", "opened B a A"])
    #expect(taking.bound?.isEverything == true)
  }

  @Test(
    "A search finds the order in which a tap is queued on main before a worker's answer",
    arguments: [Timing.any, .exact])
  func tapBeforeAnswer(timing: Timing) throws {
    let statistics = try explore(timing: timing) { runtime in
      let (log, isCancelled) = (Log(), Locked(false))
      _ = runtime.network("network").schedule(after: .seconds(1)) {
        runtime.workers.schedule {
          if isCancelled.withLock({ $0 }) { return }
          runtime.main.schedule { log.add("show") }
        }
      }
      _ = runtime.user.schedule(after: .seconds(1)) {
        isCancelled.withLock { $0 = true }
        log.add("cancel")
      }
      return { log.text }
    }.statistics
    #expect(Set(statistics.outcomes.keys) == ["cancel", "cancel show", "show cancel"])
    #expect(statistics.bound?.isEverything == true)
  }

  @Test("The bound of a shard covers only the shard, and a search without runs has no bound")
  func factsOfShards() throws {
    func search(_ schedules: Int, _ shard: Shard = .whole) throws -> Statistics.Bound? {
      try explore(schedules: schedules, shard: shard) { runtime in
        for name in ["a", "b"] { runtime.serial(name).schedule {} }
        return {}
      }.statistics.bound
    }
    let shards: [Shard] = ["1/2", "2/2"]
    let parts = try shards.compactMap { try search(100, $0) }
    #expect(parts.map(\.schedules).reduce(0, +) == 2)
    #expect(parts.allSatisfy { "\($0)".hasSuffix(" of whole items in this shard") })
    #expect(try search(100)?.description == "all 2 orders of whole items")
    #expect(try search(0) == nil)
    // An exhaustive search is not divided among shards. The first shard runs it.
    let second = try explore(search: .exhaustive, shard: "2/2") { runtime in
      runtime.main.schedule {}
      return {}
    }
    #expect("\(second)".hasPrefix("no schedule ran\n"))
  }

  @Test("A bounded search runs every schedule up to its bound exactly once", arguments: Model.allCases)
  func bounded(_ model: Model) {
    let all = model.everySchedule()
    #expect(all.count > 3)
    for bound in 0...4 {
      var explorer = Explorer()
      explorer.search = .bounded(bound)
      let statistics = explorer.explore { model.run($0) }.statistics
      let expected = all.filter { $0.cost <= bound }
      #expect(statistics.schedules == expected.count)
      #expect(statistics.distinctSchedules == expected.count)
      #expect(Set(statistics.outcomes.keys) == Set(expected.map(\.outcome)))
      #expect(statistics.bound?.deviations == bound)
      #expect(statistics.bound?.schedules == expected.count)
      #expect(statistics.bound?.isEverything == (expected.count == all.count))
    }
  }

  @Test(
    "A search that cannot remember every schedule does not claim to have run all of them", arguments: Model.allCases)
  func forgotten(_ model: Model) throws {
    let all = model.everySchedule()
    for limit in [0, 1, 2, 3, all.count / 3, all.count / 2, all.count - 2, all.count - 1] {
      for search in [Search.bounded(.max), .bounded(2)] {
        var explorer = Explorer()
        (explorer.search, explorer.maximumNodes) = (search, limit)
        let bound = try #require(explorer.explore { model.run($0) }.statistics.bound)
        let claimed = all.count { $0.cost <= bound.deviations }
        #expect(bound.schedules == claimed && bound.levels.reduce(0, +) == claimed, "\(search) \(limit): \(bound)")
        if bound.isEverything { #expect(claimed == all.count, "\(search) \(limit): \(bound)") }
        if search == .bounded(.max) { #expect(bound.isEverything == (limit == all.count - 1), "\(limit): \(bound)") }
      }
    }
  }

  @Test("A shard that cannot remember every schedule claims only those that it ran", arguments: Model.allCases)
  func forgottenInShards(_ model: Model) throws {
    let all = model.everySchedule()
    for limit in [0, 1, 2, all.count / 6] {
      let bounds = try (1...2).map { number in
        var explorer = Explorer()
        (explorer.search, explorer.maximumNodes) = (.bounded(.max), limit)
        explorer.shard = try #require(Shard("\(number)/2"))
        return try #require(explorer.explore { model.run($0) }.statistics.bound)
      }
      let common = try #require(bounds.map(\.deviations).min())
      let ran = bounds.reduce(0) { $0 + $1.levels.prefix(common + 1).reduce(0, +) }
      #expect(ran == all.count { $0.cost <= common }, "\(limit): \(bounds)")
    }
  }

  @Test(
    "The report calls a failure minimal only if the search remembers every smaller schedule", arguments: [0, 1, 10])
  func forgottenMinimum(limit: Int) throws {
    var explorer = Explorer()
    (explorer.search, explorer.maximumNodes) = (.random, limit)
    let failure = try #require(
      explorer.explore { schedule in
        let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
        defer { runtime.close() }
        return judge(runtime) { runtime in
          let log = Log()
          for name in ["a", "b", "c"] { runtime.serial(name).schedule { log.add(name) } }
          return { try check(log.all[0] != "c") }
        }
      }.failure)
    #expect(failure.token.deviations.cost == 2)
    #expect(failure.isMinimal == (limit == 10))
    #expect("\(failure)".contains("a smaller schedule was not ruled out") == (limit < 10))
  }

  @Test("The report says “at least” if the count of outcomes stops at its limit")
  func manyOutcomes() {
    let runs = Locked(0)
    var explorer = Explorer()
    (explorer.search, explorer.schedules, explorer.verifiesDeterminism) = (.random, 1001, false)
    let statistics = explorer.explore { _ in
      runs.withLock { $0 += 1 }
      return Verdict(outcome: "\(runs.withLock { $0 })")
    }.statistics
    #expect("\(statistics)".contains("\noutcomes   at least 1000\n"))
  }

  @Test("A mixed search with enough budget runs every schedule", arguments: Model.allCases)
  func everything(_ model: Model) {
    var explorer = Explorer()
    explorer.schedules = 3 * model.everySchedule().count
    let statistics = explorer.explore { model.run($0) }.statistics
    #expect(statistics.bound?.isEverything == true)
    #expect(statistics.bound?.schedules == model.everySchedule().count)
  }

  @Test(
    "A mixed search stays within its budget, and spends up to a third of it on the bounded search",
    arguments: Model.allCases)
  func mixed(_ model: Model) {
    var explorer = Explorer()
    explorer.schedules = 30
    let statistics = explorer.explore { model.run($0) }.statistics
    let costs = model.everySchedule().map(\.cost)
    let bound = (0...9).last { bound in costs.count { $0 <= bound } <= 10 }
    #expect(statistics.bound.map(\.deviations) ?? -1 >= bound ?? 0)
    #expect(statistics.schedules == 30 || statistics.bound?.isEverything == true)
  }

  @Test("A mixed search alternates between all of its algorithms")
  func turns() {
    let searches = Locked<Set<String>>([])
    for seed in 1...60 as ClosedRange<UInt64> {
      var explorer = Explorer()
      (explorer.seed, explorer.minimizing, explorer.explaining) = (seed, 0, 0)
      (explorer.schedules, explorer.verifiesDeterminism) = (400, false)
      let (last, runs) = (15 + Int(seed) % 12, Locked(0))
      let exploration = explorer.explore { schedule in
        var verdict = Model.serial.run(schedule)
        runs.withLock { $0 += 1 }
        if runs.withLock({ $0 }) == last { verdict.finding = Finding(.check, "wrong") }
        return verdict
      }
      guard let search = exploration.failure?.foundBy else { continue }
      _ = searches.withLock { $0.insert(String("\(search)".prefix { $0 != "(" })) }
    }
    #expect(searches.withLock { $0 }.isSuperset(of: ["pct", "pos", "walk", "random"]), "\(searches.withLock { $0 })")
  }

  @Test(
    "A closure that polls does not starve the others, whatever the algorithm",
    arguments: [Search.mixed, .pct(depth: 2), .pct(depth: 3)])
  func polling(_ search: Search) throws {
    let statistics = try explore(schedules: 200, search: search, maximumSteps: 2000) { runtime in
      let (isOver, polls) = (Locked(false), runtime.serial("polls"))
      @Sendable func poll() { if !isOver.withLock({ $0 }) { polls.schedule { poll() } } }
      poll()
      runtime.serial("ends").schedule { isOver.withLock { $0 = true } }
      return {}
    }.statistics
    #expect(statistics.failing == 0)
  }

  @Test("The report of a livelock names the limit that the run reached")
  func limit() throws {
    let failure = try #require(throws: ExplorationFailure.self) {
      try explore(maximumSteps: 50) { runtime in
        @Sendable func poll() { runtime.main.schedule { poll() } }
        poll()
        return {}
      }
    }
    #expect(failure.finding.message.contains("50 items ran at one moment of virtual time, the limit maximumSteps"))
  }

  @Test(
    "Four shards together run the same schedules as one search", arguments: Model.allCases,
    [Search.bounded(3), .random, .pct(depth: 2), .pos, .walk])
  func shards(_ model: Model, _ search: Search) {
    var explorer = Explorer()
    explorer.schedules = 103
    explorer.search = search
    let whole = explorer.explore { model.run($0) }.statistics
    var outcomes: [String: Int] = [:]
    var schedules = 0
    for shard: Shard in ["1/4", "2/4", "3/4", "4/4"] {
      explorer.shard = shard
      let part = explorer.explore { model.run($0) }.statistics
      outcomes.merge(part.outcomes, uniquingKeysWith: +)
      schedules += part.schedules
    }
    #expect(schedules == whole.schedules)
    #expect(outcomes == whole.outcomes)
  }

  @Test(
    "Random choices find every outcome of a small program, and PCT and POS find most of them",
    arguments: [Search.random, .walk, .pct(depth: 3), .pos])
  func outcomes(_ search: Search) {
    for model in [Model.chains, .serial, .answers] {
      // PCT finds only the outcomes of its depth. In POS, an item keeps its priority, which rules out some orders.
      let findsAll = search == .random || search == .walk
      var explorer = Explorer()
      (explorer.search, explorer.schedules) = (search, findsAll ? 1500 : 500)
      let outcomes = Set(explorer.explore { model.run($0) }.statistics.outcomes.keys)
      let all = Set(model.everySchedule().map(\.outcome))
      #expect(outcomes.isSubset(of: all))
      if findsAll { #expect(outcomes == all) }
      #expect(outcomes.count * 2 > all.count, "\(search) of \(model): \(outcomes.count) of \(all.count)")
    }
  }

  @Test("PCT of depth 1 finds both orders of two chains")
  func depthOne() {
    var explorer = Explorer()
    explorer.search = .pct(depth: 1)
    explorer.schedules = 100
    let outcomes = explorer.explore { Model.tasks.run($0) }.statistics.outcomes
    #expect(outcomes.keys.sorted() == ["a1 a2 b1 b2", "b1 b2 a1 a2"])
    #expect(outcomes.values.allSatisfy { $0 > 30 })
  }

  @Test("The weighted walk makes all orders of two chains equally likely, whatever their lengths")
  func walk() {
    var explorer = Explorer()
    explorer.search = .walk
    explorer.schedules = 5000
    let outcomes = explorer.explore { schedule in
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      let (log, long) = (Log(), runtime.serial("long"))
      @Sendable func next(_ left: Int) {
        long.schedule {
          log.add("l")
          if left > 1 { next(left - 1) }
        }
      }
      next(4)
      runtime.main.schedule { log.add("s") }
      runtime.run()
      return Verdict(outcome: log.text)
    }.statistics.outcomes
    #expect(outcomes.count == 5)
    #expect(outcomes.values.allSatisfy { (850...1150).contains($0) }, "\(outcomes)")
  }

  @Test("A random search estimates the number of all schedules", arguments: Model.allCases)
  func estimate(_ model: Model) throws {
    var explorer = Explorer()
    (explorer.search, explorer.schedules) = (.random, 2000)
    let estimate = try #require(explorer.explore { model.run($0) }.statistics.estimatedSchedules)
    let count = Double(model.everySchedule().count)
    #expect(abs(estimate / count - 1) < 0.15, "\(estimate) of \(count)")
    (explorer.search, explorer.schedules) = (.pos, 20)
    #expect(explorer.explore { model.run($0) }.statistics.estimatedSchedules == nil)
  }

  @Test("The estimated number of schedules is printed as a power of ten")
  func estimateText() {
    var estimate = SizeEstimate()
    estimate.add(Array(repeating: 10, count: 6))
    #expect("\(estimate)" == "about 10^6")
    estimate.add(Array(repeating: 10, count: 7))
    #expect("\(estimate)" == "about 6·10^6")
    estimate.add(Array(repeating: 10, count: 400))
    #expect("\(estimate)" == "more than 10^300")
  }

  @Test("The same seed repeats a search, and another seed changes it")
  func seeds() {
    func outcomes(_ seed: UInt64) -> [String: Int] {
      var explorer = Explorer()
      (explorer.search, explorer.seed, explorer.schedules) = (.random, seed, 50)
      return explorer.explore { Model.serial.run($0) }.statistics.outcomes
    }
    #expect(outcomes(7) == outcomes(7))
    #expect(outcomes(7) != outcomes(8))
  }

  @Test("A stopped search reports the schedules that it ran, and does not claim to be complete")
  func stopped() {
    let asked = Locked(0)
    var explorer = Explorer()
    explorer.search = .bounded(.max)
    explorer.isStopped = {
      asked.withLock { count in
        count += 1
        return count > 3
      }
    }
    let statistics = explorer.explore { Model.chains.run($0) }.statistics
    #expect(statistics.schedules == 3)
    #expect(statistics.bound?.isEverything == false)
  }

  @Test("A search that is stopped after a failure reports the failure without minimizing it")
  func stoppedAfterFailure() throws {
    let (runs, isFound) = (Locked(0), Locked(false))
    var explorer = Explorer()
    explorer.search = .random
    explorer.onFailure = { isFound.withLock { $0 = true } }
    explorer.isStopped = { isFound.withLock { $0 } }
    let failure = try #require(
      explorer.explore { schedule in
        if isFound.withLock({ $0 }) { runs.withLock { $0 += 1 } }
        let verdict = Model.chains.run(schedule)
        let isUsual = verdict.outcome.hasPrefix("a1")
        return isUsual ? verdict : Verdict(finding: Finding(.check, "b1 first"), steps: verdict.steps)
      }.failure)
    #expect(!failure.isMinimal)
    #expect(failure.token.deviations == failure.original)
    #expect(failure.scheduleTable.contains("b1 first"))
    #expect(failure.pointOfNoReturn == nil)
    #expect(runs.withLock { $0 } <= 300)
  }

  @Test(
    "A mixed search finds the rarest outcome, and one of its four shards finds it as well", arguments: Model.allCases)
  func mixedShards(_ model: Model) throws {
    let rare = try #require(model.everySchedule().max { $0.cost < $1.cost }?.outcome)
    func finds(_ shard: Shard) -> Bool {
      var explorer = Explorer()
      (explorer.schedules, explorer.shard, explorer.verifiesDeterminism) = (2000, shard, false)
      return explorer.explore { model.run($0) }.statistics.outcomes[rare] != nil
    }
    #expect(finds(.whole))
    let shards: [Shard] = ["1/4", "2/4", "3/4", "4/4"]
    #expect(shards.contains(where: finds))
  }

  @Test("A search ends when its time limit expires")
  func time() {
    var explorer = Explorer()
    (explorer.schedules, explorer.time, explorer.search) = (.max, .milliseconds(50), .random)
    var statistics: Statistics?
    let duration = ContinuousClock().measure { statistics = explorer.explore { Model.chains.run($0) }.statistics }
    #expect(statistics.map { $0.schedules > 0 } == true)
    #expect(duration >= .milliseconds(50))
  }

  @Test("A search runs one schedule even if the check of determinism has used all of its time")
  func firstSchedule() {
    for search in [Search.mixed, .random, .pct(depth: 3), .bounded(1), .exhaustive] {
      var explorer = Explorer()
      (explorer.time, explorer.search) = (.zero, search)
      #expect(explorer.explore { Model.chains.run($0) }.statistics.schedules == 1, "\(search)")
    }
  }
}
