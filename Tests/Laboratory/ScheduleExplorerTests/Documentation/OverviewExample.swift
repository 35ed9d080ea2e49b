import EventBus
import ScheduleExplorer
import Synchronization
import Testing
import VirtualTime

@Suite("The module's overview") struct OverviewExample {
  /// An account that checks its balance in one item, and withdraws in another.
  private final class Account: Sendable {
    private let stored = Mutex(100)
    private let runtime: any Runtime

    init(on runtime: any Runtime) { self.runtime = runtime }

    var balance: Int { stored.withLock { $0 } }

    func withdraw(_ amount: Int) {
      runtime.workers.schedule { [self] in
        guard balance >= amount else { return }
        runtime.workers.schedule { [self] in stored.withLock { $0 -= amount } }
      }
    }
  }

  @Test("The search overdraws an account that checks its balance and withdraws in separate items") func account()
    throws
  {
    let test = {
      // snippet
      try explore { runtime in
        let account = Account(on: runtime)
        account.withdraw(70)
        account.withdraw(70)
        return { try check(account.balance >= 0) }
      }
      // end
    }
    let failure = try #require(throws: ExplorationFailure.self) { try test() }
    #expect(failure.finding.message.hasPrefix("the check failed (ScheduleExplorerTests/OverviewExample.swift:"))
  }

  private final class Selection: Sendable {
    let current = "A"
  }

  private final class Shown: Sendable {
    private let stored = Mutex("")
    var name: String { stored.withLock { $0 } }
    func show(_ name: String) { stored.withLock { $0 = name } }
  }

  @Test("Items that declare independent accesses need only one schedule") func touches() throws {
    let exploration = try explore(search: .exhaustive) { runtime in
      let (selection, picture) = (Selection(), Shown())
      // snippet
      runtime.main.schedule {
        runtime.touches(reading: ["selection"], writing: ["picture"])
        picture.show(selection.current)
      }
      // end
      runtime.serial("log").schedule { runtime.touches(reading: ["selection"]) }
      return { try check(picture.name == "A") }
    }
    #expect(exploration.statistics.reduction?.classes == 1)
  }
}
