import Scheduling
import VirtualTime

/// Runs a program repeatedly, each time under a different schedule.
final class ProgramRunner {
  typealias Program = (Schedule) -> Verdict

  let recording = RecordingPolicy()
  /// The seed of the random numbers that the program draws in each run.
  var randomSeed: UInt32 = 0
  private let program: Program
  private let escapes = Escapes()
  private var number = 0
  private static let maximumAttempts = 4

  init(_ program: @escaping Program, _ host: ProgramHost? = nil) {
    self.program = program
    recording.host = host
  }

  /// - Parameter recordsReady: whether the policy records all ready items at each choice. In a run with thousands of
  ///   ready items, this takes gigabytes.
  func run(
    _ policy: any SearchPolicy, _ recorder: Recorder? = nil, realTime: Duration = .zero, recordsReady: Bool = false
  ) -> Verdict {
    for _ in 1..<Self.maximumAttempts {
      let verdict = attempt(policy, recorder, realTime, recordsReady)
      if !verdict.isDisturbed { return verdict }
    }
    return attempt(policy, recorder, realTime, recordsReady)
  }

  private func attempt(
    _ policy: any SearchPolicy, _ recorder: Recorder?, _ realTime: Duration, _ recordsReady: Bool
  ) -> Verdict {
    number += 1
    recorder?.clear()
    recording.begin(policy, randomSeed: randomSeed, recordsItems: recorder != nil, recordsReady: recordsReady)
    var observer = RunObserver(calledByForeignThread: { [escapes, number] call in escapes.add(call, inRun: number) })
    if policy.observesItems {
      observer.willRun = { [recording] in recording.willRun($0) }
      observer.touched = { [recording] in recording.touched($0) }
    }
    var verdict = program(
      Schedule(
        policy: recording, observer: recorder?.observer(of: recording, and: observer) ?? observer, realTime: realTime,
        tasks: recorder?.tasks, randomSeed: randomSeed))
    recording.end()
    if let escape = escapes.first { verdict.finding = escape }
    return verdict
  }
}

/// The calls that foreign threads make during and after the runs.
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

/// Records each item of a run.
final class Recorder: Sendable {
  private let stored = Locked(RunLog())
  private let recordsCallers: Bool

  /// - Parameter recordsCallers: Whether the log contains the caller that schedules each item. This takes time.
  init(recordsCallers: Bool = false) { self.recordsCallers = recordsCallers }

  var log: RunLog { stored.withLock { $0 } }
  var steps: [RecordedStep] { log.steps }
  /// The tasks that are waiting, if the program has not ended.
  var waiting: [WaitingTask] { stored.withLock { $0.waiting } }

  func clear() { stored.withLock { $0 = RunLog() } }

  /// - Parameters:
  ///   - recording: the policy whose deviation led to each item.
  ///   - other: another observer, which is called before this one.
  func observer(of recording: RecordingPolicy, and other: RunObserver) -> RunObserver {
    let marked = Locked(0)
    var observer = RunObserver(
      willRun: { [stored] item in
        other.willRun?(item)
        let deviation = marked.withLock { marked -> Deviations.Deviation? in
          guard recording.deviations.count > marked else { return nil }
          marked = recording.deviations.count
          return recording.deviations.last
        }
        stored.withLock { $0.add(RecordedStep(item: item, deviation: deviation, choices: recording.counts.count)) }
      },
      noted: { [stored] text in stored.withLock { $0.note(text) } },
      calledByForeignThread: other.calledByForeignThread, touched: other.touched)
    if recordsCallers {
      observer.touched = { [stored] touch in
        other.touched?(touch)
        stored.withLock { $0.recordCaller(of: touch) }
      }
    }
    observer.named = { [stored] name, onlyLooks in stored.withLock { $0.name(name, onlyLooks: onlyLooks) } }
    observer.marked = { [stored] mark in stored.withLock { $0.mark(mark) } }
    observer.willRunJob = { [stored] job in
      guard let task = job.task else { return }
      stored.withLock { $0.resume(task.taskName, task.resumePoints) }
    }
    return observer
  }

  var tasks: TaskObserver {
    TaskObserver(
      resumes: { [stored] task, addresses, origins in
        stored.withLock { $0.resume(task, addresses, origins: origins) }
      },
      stuck: { [stored] tasks in stored.withLock { $0.waiting = tasks } })
  }
}

/// The remaining number of schedules, and the remaining time.
struct Budget {
  private var schedules: Int
  private let deadline: ContinuousClock.Instant?
  private let isStopped: (@Sendable () -> Bool)?
  private var isOver = false
  /// Whether the deadline does not apply to the next schedule.
  private var isFirst: Bool

  /// - Parameter includesFirst: whether one schedule runs even if the deadline has passed.
  init(
    schedules: Int, until deadline: ContinuousClock.Instant?, includesFirst: Bool = false,
    isStopped: (@Sendable () -> Bool)? = nil
  ) {
    self.schedules = schedules
    isFirst = includesFirst
    self.isStopped = isStopped
    self.deadline = deadline
  }

  var left: Int { isOver ? 0 : max(0, schedules) }

  /// Takes one schedule from the budget. Returns false if none is left.
  mutating func take() -> Bool {
    guard left > 0 else { return false }
    if !isFirst && deadline.map({ .now >= $0 }) == true || isStopped?() == true {
      isOver = true
      return false
    }
    isFirst = false
    schedules -= 1
    return true
  }
}
