import EventBus
import ScheduleExplorer
import Synchronization
import Testing
import VirtualTime

// snippet
final class Download: Sendable {
  private let main: any Scheduler
  private let network: any Scheduler
  private let state = Mutex((isDone: false, completions: 0))

  init(main: any Scheduler, network: any Scheduler) {
    self.main = main
    self.network = network
  }

  var completions: Int { state.withLock { $0.completions } }

  func start(attempts: Int = 3) {
    _ = network.schedule(after: .milliseconds(300)) { [self] in finish() }
    _ = main.schedule(after: .seconds(1)) { [self] in
      if !state.withLock({ $0.isDone }), attempts > 1 { start(attempts: attempts - 1) }
    }
  }

  private func finish() {
    state.withLock { state in
      state.isDone = true
      state.completions += 1
    }
  }
}
// end

/// A download that accepts only the first answer.
final class CarefulDownload: Sendable {
  private let main: any Scheduler
  private let network: any Scheduler
  private let state = Mutex((isDone: false, completions: 0))

  init(main: any Scheduler, network: any Scheduler) {
    self.main = main
    self.network = network
  }

  var completions: Int { state.withLock { $0.completions } }

  func start(attempts: Int = 3) {
    _ = network.schedule(after: .milliseconds(300)) { [self] in finish() }
    _ = main.schedule(after: .seconds(1)) { [self] in
      if !state.withLock({ $0.isDone }), attempts > 1 { start(attempts: attempts - 1) }
    }
  }

  // snippet
  private func finish() {
    state.withLock { state in
      guard !state.isDone else { return }
      state.isDone = true
      state.completions += 1
    }
  }
  // end
}

@Suite("The retry loop from the guide") struct RetryExample {
  @Test("The search finds that an answer after its timeout completes the download twice") func broken() throws {
    let test = {
      // snippet
      try explore(timing: .any) { runtime in
        let download = Download(main: runtime.main, network: runtime.network("network"))
        download.start()
        return { try check(download.completions == 1, "\(download.completions) completions") }
      }
      // end
    }
    let failure = try #require(throws: ExplorationFailure.self) { try test() }
    #expect(try Page("FindingBugs").shows(failure), "\(failure)")
    #expect(failure.isMinimal)
    #expect(failure.token.deviations.cost == 1, "\(failure)")
  }

  @Test("A retry loop that accepts only the first answer passes in every schedule") func fixed() throws {
    let exploration = try explore(timing: .any) { runtime in
      let download = CarefulDownload(main: runtime.main, network: runtime.network("network"))
      download.start()
      return { try check(download.completions == 1, "\(download.completions) completions") }
    }
    #expect(exploration.statistics.bound?.isEverything == true)
  }
}
