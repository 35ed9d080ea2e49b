import EventBus
import VirtualTime

/// One step of a run that was written down.
struct RecordedStep: Sendable {
  let item: ReadyItem
  var notes: [String] = []
  /// The task that the item is a job of, where that is known.
  var task: String?
  /// How the schedule got here, where it deviates.
  var deviation: Deviations.Deviation?
  /// How many choices had been made when it began, its own included.
  var choices = 0

  /// What names it: its first note, or its task, or what it is.
  var text: String { notes.first ?? task ?? "\(item.kind)" }
  /// What it did, or else what it is.
  var name: String {
    let text = notes.joined(separator: "; ")
    guard let task else { return notes.isEmpty ? "\(item.kind) #\(item.number)" : text }
    return notes.isEmpty ? task : "\(task): \(text)"
  }
}

/// Writes down each step of a run, for a replay.
final class Recorder: Sendable {
  private let stored = Locked<[RecordedStep]>([])

  var steps: [RecordedStep] { stored.withLock { $0 } }

  func clear() { stored.withLock { $0 = [] } }

  /// - Parameter director: asked whether it has deviated since the step before.
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
        stored.withLock { $0.append(RecordedStep(item: item, deviation: deviation, choices: director.counts.count)) }
      },
      noted: { [stored] text in stored.withLock { if !$0.isEmpty { $0[$0.count - 1].notes.append(text) } } },
      calledByForeignThread: other.calledByForeignThread, touched: other.touched)
    observer.named = { [stored] name in stored.withLock { if !$0.isEmpty { $0[$0.count - 1].task = name } } }
    return observer
  }
}
