import EventBus
import Harness
import ScheduleExplorer
import Synchronization
import VirtualTime

/// The number of schedules that each policy needs to find a bug.
enum PolicyRows {
  static var all: [Row] {
    [
      row("policies-overtaking", "schedules until a chain of 4 closures overtakes another (median)", .overtaking),
      row("policies-order", "schedules until 3 chains of 2 run in a given one of their 90 orders (median)", .order),
    ]
  }

  private static let policies: [Search] = [.mixed, .random, .walk, .pct(depth: 2), .pct(depth: 3), .pos]

  private static func row(_ name: String, _ title: String, _ bug: Bug) -> Row {
    Row(name, title, unit: .schedules, policies.map { policy in .count("\(policy)") { median(policy, bug) } })
  }

  /// Chains of closures on separate serial schedulers, and the order that counts as the bug.
  private struct Bug {
    let chains: Int
    let length: Int
    let isBroken: @Sendable ([Int]) -> Bool

    static let overtaking = Bug(chains: 3, length: 4) { order in
      order.lastIndex(of: 1) ?? .max < order.firstIndex(of: 0) ?? .min
    }
    static let order = Bug(chains: 3, length: 2) { $0 == [1, 1, 0, 0, 2, 2] }
  }

  private static func median(_ policy: Search, _ bug: Bug) -> Double? {
    let counts = (1...101).map { schedules(policy, bug, seed: $0) }.sorted()
    return Double(counts[counts.count / 2])
  }

  private static func schedules(_ policy: Search, _ bug: Bug, seed: UInt64) -> Int {
    var explorer = Explorer()
    (explorer.search, explorer.seed, explorer.schedules) = (policy, seed, 100_000)
    (explorer.verifiesDeterminism, explorer.minimising, explorer.explaining) = (false, 0, 0)
    let exploration = explorer.explore { schedule in
      let runtime = VirtualRuntime(pool: .fixed(width: 4), policy: schedule.policy, observer: schedule.observer)
      let order = Order()
      for chain in 0..<bug.chains { order.run(chain, bug.length, on: runtime.serial("\(chain)")) }
      runtime.run()
      runtime.close()
      var verdict = Verdict()
      if bug.isBroken(order.seen) { verdict.finding = Finding(.check, "in this order") }
      return verdict
    }
    guard let failure = exploration.failure else { fatalError("\(policy) did not find the bug in 100,000 schedules") }
    return failure.schedulesRun
  }

  private final class Order: Sendable {
    private let chains = Mutex<[Int]>([])
    var seen: [Int] { chains.withLock { $0 } }

    func run(_ chain: Int, _ left: Int, on place: any Scheduler) {
      place.schedule { [self] in
        chains.withLock { $0.append(chain) }
        if left > 1 { run(chain, left - 1, on: place) }
      }
    }
  }
}
