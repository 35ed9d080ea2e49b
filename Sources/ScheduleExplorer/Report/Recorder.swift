import EventBus
import VirtualTime

/// One step of a run that was written down.
struct RecordedStep: Sendable {
  let item: ReadyItem
  var notes: [String] = []
  /// How the schedule got here, where it deviates.
  var deviation: Deviations.Deviation?
  /// How many choices had been made when it began, its own included.
  var choices = 0

  /// What names it: its first note, or what it is.
  var text: String { notes.first ?? "\(item.kind)" }
  /// What it did, or else what it is.
  var name: String { notes.isEmpty ? "\(item.kind) #\(item.number)" : notes.joined(separator: "; ") }
}

/// Writes down each step of a run, for a replay.
final class Recorder: Sendable {
  private let stored = Locked<[RecordedStep]>([])

  var steps: [RecordedStep] { stored.withLock { $0 } }

  /// - Parameter director: asked whether it has deviated since the step before.
  func observer(of director: Director, and other: RunObserver) -> RunObserver {
    let marked = Locked(0)
    return RunObserver(
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
  }
}
