import Synchronization
import VirtualTime

/// What happened in a run, in order.
public final class Diary: Sendable {
  /// One item that ran.
  public struct Entry: Sendable {
    /// Where it ran.
    public let place: String
    /// What it did, as the stage noted it.
    public fileprivate(set) var notes: [String] = []
  }

  private let stored = Mutex<[Entry]>([])

  /// The items in which something was noted.
  public var entries: [Entry] { stored.withLock { $0.filter { !$0.notes.isEmpty } } }

  var observer: RunObserver {
    RunObserver(
      willRun: { [self] item in stored.withLock { $0.append(Entry(place: item.scheduler.label)) } },
      noted: { [self] text in stored.withLock { if !$0.isEmpty { $0[$0.count - 1].notes.append(text) } } })
  }
}

extension Diary: CustomStringConvertible {
  /// A line for each item in which something was noted: where it ran, and what it did.
  public var description: String {
    let width = entries.map(\.place.count).max() ?? 0
    return entries.map { entry in
      "  \(entry.place)\(String(repeating: " ", count: width - entry.place.count))  \(entry.notes.joined(separator: "; "))"
    }.joined(separator: "\n")
  }
}
