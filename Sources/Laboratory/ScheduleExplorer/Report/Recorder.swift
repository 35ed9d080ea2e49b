import Scheduling
import VirtualTime

/// Records each item of a run, for a replay.
final class Recorder: Sendable {
  private let stored = Locked(RunLog())

  var steps: [RecordedStep] { stored.withLock { $0.steps } }
  /// What the program awaits, if it has not ended.
  var waiting: [WaitingTask] { stored.withLock { $0.waiting } }

  func clear() { stored.withLock { $0 = RunLog() } }

  /// - Parameter director: asked whether it has deviated since the item before.
  func observer(of director: Director, and other: RunObserver) -> RunObserver {
    let marked = Locked(0)
    var observer = RunObserver(
      willRun: { [stored] item in
        director.willRun(item)
        let deviation = marked.withLock { marked -> Deviations.Deviation? in
          guard director.deviations.count > marked else { return nil }
          marked = director.deviations.count
          return director.deviations.last
        }
        stored.withLock { $0.add(RecordedStep(item: item, deviation: deviation, choices: director.counts.count)) }
      },
      noted: { [stored] text in stored.withLock { $0.note(text) } },
      calledByForeignThread: other.calledByForeignThread, touched: other.touched)
    observer.named = { [stored] name, onlyLooks in stored.withLock { $0.name(name, onlyLooks: onlyLooks) } }
    observer.willRunJob = { [stored] job in
      guard let task = job.task else { return }
      stored.withLock { $0.resume(task.taskName, task.resumePoints) }
    }
    return observer
  }

  var tasks: TaskObserver {
    TaskObserver(
      resumes: { [stored] task, addresses in stored.withLock { $0.resume(task, addresses) } },
      stuck: { [stored] tasks in stored.withLock { $0.waiting = tasks } })
  }
}
