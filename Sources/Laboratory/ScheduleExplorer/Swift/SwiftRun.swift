import Foundation
import VirtualTime

/// One run of a program in unmodified Swift code. It is confined to the thread of its session, so no access needs a
/// lock.
final class SwiftRun {
  let runtime: VirtualRuntime
  private let tasks: TaskObserver?
  /// The real time at which the running item started.
  @exclusivity(unchecked) private(set) var itemBegan = ContinuousClock.now
  /// The callers that are waiting until no other work is left.
  @exclusivity(unchecked) private var idlers: [UnsafeContinuation<Void, Never>] = []
  /// The remaining amount of virtual time that must also pass in real time.
  @exclusivity(unchecked) private var realTimeLeft: Duration
  private var realTimeSeen = Duration.zero
  @exclusivity(unchecked) private(set) var isDisturbed = false
  /// The number of the test's own task, if the program is a test. The sleeps of this task keep their order.
  var test: UInt64?
  /// Whether a job of the test's own task waits to run.
  private var testIsReady = false
  /// Whether a delay has ended too early for a sleep of the test. Such a run does not count as a failure.
  private(set) var isVoid = false
  /// A failure of the run itself, or nil.
  var problem: String?
  /// The numbers of the tasks with which `Task.sleep` wakes its callers.
  private var wakers: Set<UInt64> = []
  /// Whether such a task runs. It ends as soon as it has resumed its caller, so an interruption would only add orders in
  /// which nothing differs.
  private var isWaking = false
  private var names = TaskNames()
  /// The name of the running item's task, in a recorded run.
  private var title: String?

  init(_ runtime: VirtualRuntime, _ schedule: Schedule) {
    self.runtime = runtime
    tasks = schedule.tasks
    realTimeLeft = schedule.realTime
  }

  func take(_ job: UnownedJob, on scheduler: SchedulerID, after sleep: Sleep?) {
    if tasks != nil { names.note(job, isSleep: sleep != nil) }
    guard let sleep else {
      if test != nil, ProcessExecutors.number(of: job) == test {
        testIsReady = true
        if !isTest { runtime.testContinues() }
      }
      return runtime.enqueue(job, on: scheduler)
    }
    wakers.insert(ProcessExecutors.number(of: job))
    let settles = test != nil && isTest
    var duration = max(sleep.remaining, .zero)
    if !sleep.isExact {
      let length = SleepLength(remaining: sleep.remaining, elapsed: itemBegan.duration(to: .now))
      if length.isDisturbed { isDisturbed = true }
      duration = length.duration
    }
    if settles, runtime.isLate(for: duration) { isVoid = true }
    runtime.enqueue(job, on: scheduler, after: duration, settles: settles)
  }

  /// Whether the test's own task runs on this thread.
  private var isTest: Bool { ProcessExecutors.currentTask.map(ProcessExecutors.number) == test }

  func perform(_ job: UnownedJob, on scheduler: SchedulerID) {
    if realTimeLeft > .zero { passRealTime() }
    if let tasks {
      let (name, addresses, origins) = names.describe(job)
      title = name
      tasks.resumes(name, addresses, origins)
    }
    itemBegan = .now
    let isOfTest = test != nil && ProcessExecutors.number(of: job) == test
    if isOfTest { testIsReady = false }
    JobHooks.live?.show(runtime.now)
    isWaking = wakers.remove(ProcessExecutors.number(of: job)) != nil
    ProcessExecutors.run(job, on: scheduler)
    isWaking = false
    if isOfTest, !testIsReady { runtime.testWaits() }
  }

  /// Lets other items run before the running one continues, if the policy chooses so.
  func interrupt(at point: AsyncPoint?) {
    if isWaking { return }
    let title = title
    if test != nil, isTest { runtime.testMayPause() }
    guard runtime.interrupt() else { return }
    continues(title, point)
  }

  /// Lets other items run until the lock may be free. Returns false if the caller must wait for the lock itself.
  func waitForLock(_ lock: UInt) -> Bool {
    let title = title
    guard runtime.waitForLock(lock) else { return false }
    continues(title, nil)
    return true
  }

  /// Runs a block of `DispatchQueue.main` as an item of main.
  func dispatchOnMain(_ block: UInt, after delay: Duration?) {
    let name = title ?? ProcessExecutors.currentTask.flatMap(names.name)
    let action: @Sendable () -> Void = { [runtime] in
      runtime.name(name.map { "DispatchQueue.main of \($0)" } ?? "DispatchQueue.main")
      JobHooks.live?.show(runtime.now)
      JobHooks.live?.run(block)
    }
    if let delay {
      _ = runtime.main.schedule(after: delay, action)
    } else {
      runtime.main.schedule(action)
      interrupt(at: nil)
    }
  }

  /// Records that an interrupted item continues.
  private func continues(_ title: String?, _ point: AsyncPoint?) {
    itemBegan = .now
    JobHooks.live?.show(runtime.now)
    self.title = title
    guard let tasks else { return }
    let addresses = point.map { $0.resume == nil ? [] : $0.resumePoints } ?? []
    let task = ProcessExecutors.currentTask
    tasks.resumes(
      (task.flatMap(names.name) ?? title).map { "\($0) continues" },
      addresses.isEmpty ? CallStack.addresses(most: TaskNames.maximumFrames) : addresses,
      task.map { $0.taskName == nil ? names.origins(of: $0) : [] } ?? [])
  }

  /// Returns a note of the running task. If the item is named after another task, the note starts with the running
  /// task's name. This happens because one turn of an actor can run several tasks.
  func attributed(_ text: String) -> String {
    guard let task = ProcessExecutors.currentTask.flatMap(names.name), task != title else { return text }
    return "\(task): \(text)"
  }

  /// Returns the chain of waiting tasks: the program's own task, the task that it awaits, and so on.
  func waiting(from program: UnownedJob) -> [WaitingTask] { names.waiting(from: program) }

  private func passRealTime() {
    let now = runtime.now
    let pause = min(now - realTimeSeen, realTimeLeft)
    realTimeSeen = now
    guard pause > .zero else { return }
    realTimeLeft -= pause
    Thread.sleep(forTimeInterval: pause / .seconds(1))
  }

  func awaitIdle(_ continuation: UnsafeContinuation<Void, Never>) { idlers.append(continuation) }

  /// Resumes the callers that are waiting for all other work to end. Returns false if there are none.
  func wakeIdlers() -> Bool {
    let woken = idlers
    idlers = []
    for continuation in woken { continuation.resume() }
    return !woken.isEmpty
  }
}

/// The names of a run's tasks in its report. Each task has its given name, or else a number in start order.
private struct TaskNames {
  static let maximumFrames = 40

  private var names: [UInt64: String] = [:]
  /// The addresses at which the tasks were created.
  private var origins: [UInt64: [CodeAddress]] = [:]
  private var yields: [UInt: String] = [:]
  private var count = 0

  /// Records an enqueued job.
  mutating func note(_ job: UnownedJob, isSleep: Bool) {
    let current = ProcessExecutors.currentTask.flatMap(name)
    let task = ProcessExecutors.number(of: job)
    if task == 0 {
      if let current, job.task == nil { yields[Self.key(job)] = "\(current) has yielded" }
    } else if names[task] == nil {
      if isSleep {
        names[task] = "\(current ?? "a task") wakes"
      } else {
        count += 1
        names[task] = job.taskName ?? "task \(count)"
        origins[task] = CallStack.addresses(most: Self.maximumFrames)
      }
    }
  }

  /// The name of a job that is about to run, and the locations where its task resumes and where it was created.
  /// The last value is where a task without a name was created.
  mutating func describe(_ job: UnownedJob) -> (String?, [CodeAddress], origins: [CodeAddress]) {
    if let yield = yields.removeValue(forKey: Self.key(job)) { return (yield, [], []) }
    guard let task = job.task else { return (nil, [], []) }
    return (name(of: task), task.resumePoints + origins(of: task), task.taskName == nil ? origins(of: task) : [])
  }

  func origins(of task: UnownedJob) -> [CodeAddress] { origins[ProcessExecutors.number(of: task)] ?? [] }

  func waiting(from program: UnownedJob) -> [WaitingTask] {
    var chain: [WaitingTask] = []
    var seen: Set<UInt64> = []
    var next: UnownedJob? = program
    while let task = next, seen.insert(ProcessExecutors.number(of: task)).inserted {
      next = task.awaitedTask
      chain.append(
        WaitingTask(
          name: chain.isEmpty ? nil : title(of: task), awaited: next.map(title), addresses: task.resumePoints))
    }
    return chain
  }

  private func title(of task: UnownedJob) -> String { name(of: task) ?? "a task" }

  func name(of task: UnownedJob) -> String? { names[ProcessExecutors.number(of: task)] ?? task.taskName }

  /// Returns a key that is valid while the job waits.
  private static func key(_ job: UnownedJob) -> UInt { unsafeBitCast(job, to: UInt.self) }
}
