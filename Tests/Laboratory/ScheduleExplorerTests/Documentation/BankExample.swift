import EventBus
import ScheduleExplorer
import Synchronization
import Testing
import VirtualTime

// snippet
final class Account: Sendable {
  private let stored = Mutex(100)
  private let bank: any Scheduler

  init(bank: any Scheduler) { self.bank = bank }

  var balance: Int { stored.withLock { $0 } }

  func withdraw(_ amount: Int) {
    guard balance >= amount else { return }
    // The bank takes a moment to approve.
    _ = bank.schedule(after: .milliseconds(50)) { [self] in stored.withLock { $0 -= amount } }
  }
}
// end

final class CarefulAccount: Sendable {
  private let stored = Mutex(100)
  private let bank: any Scheduler

  init(bank: any Scheduler) { self.bank = bank }

  var balance: Int { stored.withLock { $0 } }

  // snippet
  func withdraw(_ amount: Int) {
    _ = bank.schedule(after: .milliseconds(50)) { [self] in
      stored.withLock { if $0 >= amount { $0 -= amount } }
    }
  }
  // end
}

@Suite("The bank account from the guide") struct BankExample {
  @Test("The search finds that a second tap before the first answer overdraws the account") func broken() throws {
    let test = {
      // snippet
      try explore(timing: .any) { runtime in
        let account = Account(bank: runtime.network("bank"))
        for second in 1...2 {
          _ = runtime.user.schedule(after: .seconds(second)) {
            runtime.note("tap \(second), balance \(account.balance)")
            account.withdraw(70)
          }
        }
        return { try check(account.balance >= 0, "balance \(account.balance)") }
      }
      // end
    }
    let failure = try #require(throws: ExplorationFailure.self) { try test() }
    #expect(try Page("FindingBugs").shows(failure), "\(failure)")
    #expect(failure.token.deviations.cost == 1)
    #expect(failure.isMinimal)
  }

  @Test("An account that checks its balance when the answer arrives passes the search") func fixed() throws {
    let exploration = try explore(timing: .any) { runtime in
      let account = CarefulAccount(bank: runtime.network("bank"))
      for second in 1...2 { _ = runtime.user.schedule(after: .seconds(second)) { account.withdraw(70) } }
      return { try check(account.balance >= 0, "balance \(account.balance)") }
    }
    #expect(exploration.statistics.bound?.isEverything == true)
  }
}
