import EventBus
import PlainText
import ScheduleExplorer
import Testing
import VirtualTime

/// The entries of a program, in the order in which it added them.
final class Log: Sendable {
  private let entries = Locked<[String]>([])

  var all: [String] { entries.withLock { $0 } }
  var text: String { all.joined(separator: " ") }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}

/// Small programs. The outcome of each is the order in which its items ran.
enum Model: String, CaseIterable, CustomTestStringConvertible {
  case chains
  case serial
  case answers
  case delays
  case gates
  case tasks

  var testDescription: String { rawValue }
  var timing: Timing { self == .answers ? .any : .exact }

  func start(_ runtime: VirtualRuntime) -> Log {
    let log = Log()
    switch self {
    case .chains:
      for name in ["a", "b"] {
        let scheduler = runtime.serial(name)
        scheduler.schedule {
          log.add(name + "1")
          scheduler.schedule { log.add(name + "2") }
        }
      }
      runtime.main.schedule { log.add("m") }
    case .serial:
      let scheduler = runtime.serial("shared")
      for name in ["a", "b"] {
        runtime.serial(name).schedule {
          log.add(name)
          scheduler.schedule { log.add("from \(name)") }
          runtime.main.schedule { log.add("main \(name)") }
        }
      }
    case .answers:
      for (name, seconds) in [("a", 1), ("b", 2)] {
        _ = runtime.network(name).schedule(after: .seconds(seconds)) {
          log.add(name)
          runtime.main.schedule { log.add("show \(name)") }
        }
      }
      _ = runtime.user.schedule(after: .seconds(3)) { log.add("tap") }
      _ = runtime.main.schedule(after: .milliseconds(1500)) { log.add("timer") }
    case .delays:
      for name in ["a", "b"] {
        _ = runtime.serial(name).schedule(after: .seconds(1)) {
          log.add(name)
          runtime.main.schedule { log.add("show \(name)") }
        }
      }
      _ = runtime.workers.schedule(after: .seconds(1)) { log.add("worker") }
      _ = runtime.main.schedule(after: .seconds(2)) { log.add("later") }
    case .gates:
      let gate = runtime.gate()
      for name in ["a", "b"] {
        runtime.workers.schedule {
          log.add(name)
          gate.wait()
          log.add(name + " goes on")
        }
      }
      for _ in 0..<2 { runtime.main.schedule { gate.open() } }
    case .tasks:
      for name in ["a", "b"] {
        _ = runtime.task {
          log.add(name + "1")
          await Task.yield()
          log.add(name + "2")
        }
      }
    }
    return log
  }

  /// Runs the model under a schedule, for tests of the search itself.
  func run(_ schedule: Schedule, failing: (String) -> Bool = { _ in false }) -> Verdict {
    let runtime = VirtualRuntime(
      pool: .fixed(width: 2), timing: timing, policy: schedule.policy, observer: schedule.observer)
    defer { runtime.close() }
    let log = start(runtime)
    let end = runtime.run()
    let text = log.text
    return Verdict(
      finding: Finding(end) ?? (failing(text) ? Finding(.check, text) : nil), outcome: text, steps: runtime.steps)
  }

  /// Enumerates the choices, and returns every possible schedule with its cost and its outcome.
  func everySchedule() -> [(choices: [Int], cost: Int, outcome: String)] {
    var (found, prefix) = ([([Int], Int, String)](), [Int]?.some([]))
    while let current = prefix {
      let policy = Counting(current)
      let verdict = run(Schedule(policy: policy))
      let (choices, counts) = (policy.choices, policy.counts)
      found.append((choices, choices.reduce(0, +), verdict.outcome))
      prefix = nil
      for scheduler in choices.indices.reversed() where choices[scheduler] + 1 < counts[scheduler] {
        prefix = Array(choices[..<scheduler]) + [choices[scheduler] + 1]
        break
      }
    }
    return found
  }
}

/// A policy that makes the given choices, and then always chooses the first item.
private final class Counting: SchedulePolicy {
  private let given: [Int]
  private let stored = Locked<(choices: [Int], counts: [Int])>(([], []))

  init(_ given: [Int]) { self.given = given }

  var choices: [Int] { stored.withLock { $0.choices } }
  var counts: [Int] { stored.withLock { $0.counts } }

  func choose(from ready: ReadySet) -> Int {
    let count = ready.count
    return stored.withLock { stored in
      let index = stored.choices.count < given.count ? given[stored.choices.count] : 0
      stored.choices.append(index)
      stored.counts.append(count)
      return index
    }
  }
}
