import Dispatch
import EventBus
import Foundation
import ScheduleExplorer
import ScheduleExplorerTesting
import Synchronization
import TestMachine
import Testing
import VirtualTime

// snippet
final class Stock: Sendable {
  private let stored = Mutex(1)
  var left: Int { stored.withLock { $0 } }

  func sell() {
    guard left > 0 else { return }
    stored.withLock { $0 -= 1 }
  }
}

func sellTwice() async -> Int {
  let stock = Stock()
  await withTaskGroup { group in
    for _ in 1...2 { group.addTask { stock.sell() } }
  }
  return stock.left
}
// end

// snippet
final class Counter: @unchecked Sendable {
  var count = 0
}

func countTwice() async -> Int {
  let counter = Counter()
  await withTaskGroup { group in
    for _ in 1...2 {
      group.addTask { for _ in 1...1000 { counter.count += 1 } }
    }
  }
  return counter.count
}
// end

// snippet
func sellElsewhere() async -> Int {
  let stock = Stock()
  DispatchQueue.global().async { stock.sell() }
  return stock.left
}
// end

// snippet
func sleepTwice() async -> [Int] {
  await withTaskGroup(of: Int.self) { group in
    for milliseconds in [2, 1] {
      group.addTask {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        return milliseconds
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
// end

@Suite("The page “What it cannot find”", .childProcesses) struct NotVariedExample {
  @Test("Each report ends with the path of the page about the limits of a search") func path() throws {
    let path = "ScheduleExplorer.docc/WhatItCannotFind.md"
    #expect(try Page("WhatItCannotFind").contains("# What it cannot find\n"))
    let ending = "\nwhat the search does not vary: \(path)"
    let race = { (runtime: VirtualRuntime) in
      let log = Log()
      for name in ["a", "b"] { runtime.serial(name).schedule { log.add(name) } }
      return { try check(log.all == ["a", "b"], "\(log.all)") }
    }
    let failure = try #require(throws: ExplorationFailure.self) { try explore(race) }
    let replay = try #require(throws: ExplorationFailure.self) { try explore(replaying: "\(failure.token)", race) }
    let passed = try explore(replaying: "E1.-", race)
    for report in ["\(failure)", "\(replay)", "\(passed)", "\(passed.statistics)"] {
      #expect(report.hasSuffix(ending) && report.components(separatedBy: path).count == 2, "\(report)")
    }
  }

  @Test("The report on a search of closures states that the search orders whole items") func closures() throws {
    // snippet
    let exploration = try explore { runtime in
      let stock = Stock()
      for _ in 1...2 { runtime.workers.schedule { stock.sell() } }
      return { try check(stock.left >= 0) }
    }
    // end
    #expect("\(exploration)".contains("bound      all 2 orders of whole items\n"))
    #expect(exploration.statistics.bound?.description == "all 2 orders of whole items")
    #expect(try Page("WhatItCannotFind").contains("`all 2 orders of whole items`"))
  }

  @Test("The table on the page matches the reports of its programs", .exploresSwift) func table() async {
    await #expect(processExitsWith: .success) {
      let page = try Page("WhatItCannotFind")
      func reports(
        _ name: String, _ outcomes: String?, _ figure: String, timing: Timing = .any,
        _ body: @escaping @Sendable () async -> String
      ) throws {
        let exploration = try #require(exploringSwift(timing: timing, body), "\(name)")
        let statistics = exploration.statistics
        if let outcomes { #expect(statistics.outcomes.keys.sorted().joined(separator: ", ") == outcomes, "\(name)") }
        #expect(statistics.bound?.description == figure, "\(name): \(statistics)")
        let cell = "| \(outcomes ?? "the outcome that happened"): `\(figure)` |"
        #expect(page.contains("| `\(name)` |") && page.contains(cell), "\(name)")
        #expect("\(exploration)".contains("\nbound      \(figure)\n"))
        let remark = "not varied switches inside a job, except at calls into Swift's runtime"
        #expect("\(exploration)".contains("\n\(remark)\n") && page.contains("`\(remark)`"), "\(exploration)")
      }
      try reports("sellTwice", "0", "all 10 orders of jobs") { "\(await sellTwice())" }
      try reports("countTwice", "2000", "all 10 orders of jobs") { "\(await countTwice())" }
      // Dispatch decides the result, so this body does not return it. The search rejects an outcome that varies.
      try reports("sellElsewhere", nil, "1 order of jobs") {
        _ = await sellElsewhere()
        return ""
      }
      try reports("sleepTwice", "[1, 2]", "all 8 orders of jobs, with exact sleeps", timing: .exact) {
        "\(await sleepTwice())"
      }
    }
  }
}
