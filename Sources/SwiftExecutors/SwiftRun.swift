import Foundation
import VirtualTime

/// One run of a program of unmodified Swift code. Belongs to the thread of its session, so that no access needs a check.
final class SwiftRun {
  let runtime: VirtualRuntime
  let observer: RunObserver
  /// When the item that runs has begun, in real time.
  @exclusivity(unchecked) private(set) var itemBegan = ContinuousClock.now
  /// Those who wait until nothing else is left to do.
  @exclusivity(unchecked) private var idlers: [UnsafeContinuation<Void, Never>] = []
  /// How much of the virtual time is still to pass in real time.
  @exclusivity(unchecked) private var realTimeLeft: Duration
  private var realTimeSeen = Duration.zero
  @exclusivity(unchecked) private(set) var isDisturbed = false
  /// What is wrong with the run itself.
  var problem: String?
  private var names = TaskNames()
  @exclusivity(unchecked) private var currentTask: UInt64 = 0

  init(_ runtime: VirtualRuntime, _ observer: RunObserver, realTime: Duration) {
    self.runtime = runtime
    self.observer = observer
    realTimeLeft = realTime
  }

  private var isRecorded: Bool { observer.named != nil }

  func take(_ job: UnownedJob, on place: Place, after sleep: Sleep?) {
    if isRecorded { names.note(job, isSleep: sleep != nil, by: currentTask) }
    guard let sleep else { return runtime.enqueue(job, on: place) }
    let length = SleepLength(remaining: sleep.remaining, elapsed: itemBegan.duration(to: .now))
    if length.isDisturbed { isDisturbed = true }
    runtime.enqueue(job, on: place, after: length.duration)
  }

  func perform(_ job: UnownedJob, on place: Place) {
    if realTimeLeft > .zero { passRealTime() }
    let task = isRecorded ? ProcessExecutors.number(of: job) : 0
    currentTask = task
    itemBegan = .now
    ProcessExecutors.run(job, on: place)
    if let name = names[task] { observer.named?(name, false) }
  }

  private func passRealTime() {
    let now = runtime.now
    let pause = min(now - realTimeSeen, realTimeLeft)
    realTimeSeen = now
    guard pause > .zero else { return }
    realTimeLeft -= pause
    Thread.sleep(forTimeInterval: pause / .seconds(1))
  }

  func awaitIdle(_ continuation: UnsafeContinuation<Void, Never>) { idlers.append(continuation) }

  /// Lets those go on who have waited for the end of everything else; false if there are none.
  func wakeIdlers() -> Bool {
    let woken = idlers
    idlers = []
    for continuation in woken { continuation.resume() }
    return !woken.isEmpty
  }
}

/// What the tasks of a run are called in its report: by the names that they were given, or by their order.
private struct TaskNames {
  private var names: [UInt64: String] = [:]
  private var count = 0

  subscript(task: UInt64) -> String? { names[task] }

  /// A job was enqueued, by the task that runs.
  mutating func note(_ job: UnownedJob, isSleep: Bool, by current: UInt64) {
    if let name = ProcessExecutors.currentTaskName, current != 0 { names[current] = name }
    let task = ProcessExecutors.number(of: job)
    guard task != 0, names[task] == nil else { return }
    if isSleep {
      // In an actor the job that runs is the actor's, and only the task knows its name.
      names[task] = "\(ProcessExecutors.currentTaskName ?? names[current] ?? "a task") has slept"
    } else {
      count += 1
      names[task] = "task \(count)"
    }
  }
}
