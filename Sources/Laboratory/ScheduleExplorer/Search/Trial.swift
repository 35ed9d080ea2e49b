import Scheduling
import VirtualTime

/// Runs a program under one schedule after the other.
final class Trial {
  typealias Program = (Schedule) -> Verdict

  let director = Director()
  private let program: Program
  private let escapes = Escapes()
  private var number = 0
  private static let mostAttempts = 4

  init(_ program: @escaping Program) { self.program = program }

  func run(_ rule: Director.Rule, _ recorder: Recorder? = nil, realTime: Duration = .zero) -> Verdict {
    for _ in 1..<Self.mostAttempts {
      let verdict = attempt(rule, recorder, realTime)
      if !verdict.isDisturbed { return verdict }
    }
    return attempt(rule, recorder, realTime)
  }

  private func attempt(_ rule: Director.Rule, _ recorder: Recorder?, _ realTime: Duration) -> Verdict {
    number += 1
    recorder?.clear()
    director.begin(rule)
    director.computesChecksum = recorder != nil
    var observer = RunObserver(calledByForeignThread: { [escapes, number] call in escapes.add(call, inRun: number) })
    if case .classes = rule {
      observer.willRun = { [director] in director.willRun($0) }
      observer.touched = { [director] in director.touched($0) }
    }
    var verdict = program(
      Schedule(
        policy: director, observer: recorder?.observer(of: director, and: observer) ?? observer, realTime: realTime,
        tasks: recorder?.tasks))
    if case .classes(let sets) = rule { sets.end() }
    if let escape = escapes.first { verdict.finding = escape }
    return verdict
  }
}

/// The calls of foreign threads, those after the end of their run as well.
private final class Escapes: Sendable {
  private let stored = Locked<Finding?>(nil)

  var first: Finding? { stored.withLock { $0 } }

  func add(_ call: ForeignCall, inRun number: Int) {
    guard first == nil else { return }
    let site = CodeSites(call.addresses).first(of: call.addresses)
    let finding = Finding(
      .escape,
      """
      a thread that does not belong to run \(number) called its runtime: \(call.text(from: site))
      \(call.advice)
      """)
    stored.withLock { if $0 == nil { $0 = finding } }
  }
}
