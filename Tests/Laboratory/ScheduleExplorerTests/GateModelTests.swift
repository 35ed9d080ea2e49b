import EventBus
import ScheduleExplorer
import TestMachine
import Testing
import VirtualTime

/// A random program whose closures wait at gates and open them, each on a serial scheduler. A model predicts its
/// possible orders without queues and threads.
private struct GateProgram: Sendable {
  enum Action: Sendable { case wait(Int), open(Int), log }

  /// The actions of each closure.
  let closures: [[Action]]

  init(_ generator: inout SeededGenerator) {
    closures = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        let gate = Int.random(in: 0...1, using: &generator)
        return [.wait(gate), .open(gate), .open(gate), .log].randomElement(using: &generator) ?? .log
      }
    }
  }

  /// The log of each possible order.
  var outcomes: Set<String> {
    var found: Set<String> = []
    explore(State(schedulers: closures.map { _ in 0 }), &found)
    return found
  }

  private struct State {
    var schedulers: [Int]
    var waiting: [Int: Int] = [:]
    var permits = [0, 0]
    var log = ""
  }

  private func explore(_ state: State, _ found: inout Set<String>) {
    let movable = closures.indices.filter { index in
      state.waiting[index].map { state.permits[$0] > 0 } ?? (state.schedulers[index] < closures[index].count)
    }
    if movable.isEmpty { found.insert(state.log + (state.waiting.isEmpty ? "" : " deadlock")) }
    for index in movable {
      var next = state
      if let gate = next.waiting.removeValue(forKey: index) {
        next.permits[gate] -= 1
        next.log += "\(index)\(next.schedulers[index] - 1) "
      }
      run(index, &next)
      explore(next, &found)
    }
  }

  /// Runs the closure to its end, or to the point at which it may have to wait.
  private func run(_ index: Int, _ state: inout State) {
    while state.schedulers[index] < closures[index].count {
      let scheduler = state.schedulers[index]
      state.schedulers[index] += 1
      switch closures[index][scheduler] {
      case .log: break
      case .open(let gate): state.permits[gate] += 1
      case .wait(let gate):
        guard state.permits[gate] > 0, !state.waiting.values.contains(gate) else { return state.waiting[index] = gate }
        state.permits[gate] -= 1
      }
      state.log += "\(index)\(scheduler) "
    }
  }

  func start(_ runtime: VirtualRuntime) -> Log {
    let (log, gates) = (Log(), [runtime.gate(), runtime.gate()])
    for (index, actions) in closures.enumerated() {
      runtime.serial("\(index)").schedule {
        for (scheduler, action) in actions.enumerated() {
          switch action {
          case .log: break
          case .open(let gate): gates[gate].open()
          case .wait(let gate): gates[gate].wait()
          }
          log.add("\(index)\(scheduler) ")
        }
      }
    }
    return log
  }
}

@Suite("Gates in a search", .computing) struct GateModelTests {
  @Test(
    "For a random program with gates, the search finds exactly the orders that a model predicts",
    arguments: 1...60 as ClosedRange<UInt64>)
  func orders(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let program = GateProgram(&generator)
    var explorer = Explorer()
    (explorer.schedules, explorer.search, explorer.verifiesDeterminism) = (100_000, .bounded(.max), false)
    let statistics = explorer.explore { schedule in
      let runtime = VirtualRuntime(policy: schedule.policy, observer: schedule.observer)
      defer { runtime.close() }
      let log = program.start(runtime)
      let deadlock = Locked<String?>(nil)
      // After a deadlock, the runtime releases the waiting closures, which then write to the log.
      _ = runtime.run { _ in deadlock.withLock { $0 = log.all.joined() + " deadlock" } }
      return Verdict(
        finding: nil, outcome: deadlock.withLock { $0 } ?? log.all.joined(), steps: runtime.steps)
    }.statistics
    #expect(statistics.bound?.isEverything == true)
    #expect(Set(statistics.outcomes.keys) == program.outcomes)
  }
}
