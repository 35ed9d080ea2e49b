import EventBus
import Harness
import ScheduleExplorer
import Synchronization
import VirtualTime

/// The number of schedules that each policy needs to find a bug.
enum PolicyRows {
  static var all: [Row] { Bug.table.map(row) }

  private static let policies: [Search] = [.mixed, .random, .walk, .pct(depth: 2), .pct(depth: 3), .pos]
  /// The most schedules for one bug. A policy that needs more counts as needing that many.
  private static let most = 30_000
  private static let seeds: ClosedRange<UInt64> = 1...11

  private static func row(_ bug: Bug) -> Row {
    Row(
      "policies-\(bug.name)", "schedules until \(bug.title) (median)", unit: .schedules,
      policies.map { policy in .count("\(policy)") { median(policy, bug) } })
  }

  /// Chains of closures on separate serial schedulers, and the order that counts as the bug.
  private struct Bug {
    let name: String
    let title: String
    let chains: Int
    let length: Int
    let isBroken: @Sendable (Seen) -> Bool

    static let table = [
      Bug(name: "overtaking", title: "a chain of 4 closures overtakes another", chains: 3, length: 4) {
        $0.position(3, of: 1) < $0.position(0, of: 0)
      },
      Bug(name: "order", title: "3 chains of 2 run in a given one of their 90 orders", chains: 3, length: 2) {
        $0.chains == [1, 1, 0, 0, 2, 2]
      },
      Bug(name: "between", title: "a chain starts between two given closures of another", chains: 2, length: 6) {
        $0.position(2, of: 0) < $0.position(0, of: 1) && $0.position(0, of: 1) < $0.position(3, of: 0)
      },
      Bug(name: "whole", title: "a chain of 5 runs between two closures of another", chains: 2, length: 5) {
        $0.position(2, of: 0) < $0.position(0, of: 1) && $0.position(4, of: 1) < $0.position(3, of: 0)
      },
      Bug(name: "two", title: "two chains of 4 run between two closures of a third", chains: 3, length: 4) {
        $0.position(1, of: 0) < $0.position(0, of: 1) && $0.position(3, of: 1) < $0.position(0, of: 2)
          && $0.position(3, of: 2) < $0.position(2, of: 0)
      },
      Bug(name: "ends", title: "the last of 8 chains starts and the first ends", chains: 8, length: 2) {
        $0.chains.first == 7 && $0.chains.last == 0
      },
      Bug(name: "late", title: "a chain starts between the last closures of one of 16", chains: 2, length: 16) {
        $0.position(14, of: 0) < $0.position(0, of: 1) && $0.position(0, of: 1) < $0.position(15, of: 0)
      },
      Bug(name: "alternation", title: "two chains of 5 alternate", chains: 2, length: 5) {
        $0.chains == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]
      },
      Bug(name: "turns", title: "3 chains of 3 start and end in reverse order", chains: 3, length: 3) {
        $0.chains.prefix(3) == [2, 1, 0] && $0.chains.suffix(3) == [2, 1, 0]
      },
      Bug(name: "reverse", title: "5 closures run in reverse order", chains: 5, length: 1) {
        $0.chains == [4, 3, 2, 1, 0]
      },
      Bug(name: "starved", title: "a chain of 8 waits for another of 4", chains: 4, length: 8) {
        $0.position(7, of: 3) < $0.position(0, of: 0)
      },
      Bug(name: "inside", title: "a chain of 4 runs after the first closure of another", chains: 4, length: 4) {
        $0.position(0, of: 0) < $0.position(0, of: 1) && $0.position(3, of: 1) < $0.position(1, of: 0)
      },
    ]
  }

  /// The order in which the closures ran, by their chains.
  private struct Seen {
    let chains: [Int]

    /// The position of the closure with this number in its chain.
    func position(_ number: Int, of chain: Int) -> Int {
      chains.indices.filter { chains[$0] == chain }.dropFirst(number).first ?? .max
    }
  }

  private static func median(_ policy: Search, _ bug: Bug) -> Double? {
    let counts = seeds.map { schedules(policy, bug, seed: $0) }.sorted()
    return Double(counts[counts.count / 2])
  }

  private static func schedules(_ policy: Search, _ bug: Bug, seed: UInt64) -> Int {
    var explorer = Explorer()
    (explorer.search, explorer.seed, explorer.schedules) = (policy, seed, most)
    (explorer.verifiesDeterminism, explorer.minimizing, explorer.explaining) = (false, 0, 0)
    let exploration = explorer.explore { schedule in
      let runtime = VirtualRuntime(pool: .fixed(width: 4), policy: schedule.policy, observer: schedule.observer)
      let order = Order()
      for chain in 0..<bug.chains { order.run(chain, bug.length, on: runtime.serial("\(chain)")) }
      runtime.run()
      runtime.close()
      var verdict = Verdict()
      if bug.isBroken(Seen(chains: order.seen)) { verdict.finding = Finding(.check, "in this order") }
      return verdict
    }
    return exploration.failure?.schedulesRun ?? most
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
