import Synchronization
import VirtualTime

/// The notes from a run, in order.
public final class Diary: Sendable {
  /// An item that ran.
  public struct Entry: Sendable {
    /// The label of the item's scheduler.
    public let place: String
    /// The notes that the stage recorded while the item ran.
    public fileprivate(set) var notes: [String] = []
  }

  private let stored = Mutex<[Entry]>([])

  /// The items that have notes.
  public var entries: [Entry] { stored.withLock { $0.filter { !$0.notes.isEmpty } } }

  var observer: RunObserver {
    RunObserver(
      willRun: { [self] item in stored.withLock { $0.append(Entry(place: item.scheduler.label)) } },
      noted: { [self] text in stored.withLock { if !$0.isEmpty { $0[$0.count - 1].notes.append(text) } } })
  }
}

extension Diary: CustomStringConvertible {
  /// One line for each item that has notes, with its scheduler and its notes.
  public var description: String {
    let width = entries.map(\.place.count).max() ?? 0
    return entries.map { entry in
      "  \(entry.place)\(String(repeating: " ", count: width - entry.place.count))  \(entry.notes.joined(separator: "; "))"
    }.joined(separator: "\n")
  }
}
