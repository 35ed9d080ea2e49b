import PlainText
import Synchronization
import VirtualTime

/// The notes from a run, in order.
public final class Diary: Sendable {
  /// An item that ran.
  public struct Entry: Sendable {
    /// The label of the item's scheduler.
    public let place: String
    /// The virtual time at which the item ran.
    fileprivate let time: Duration
    /// The notes that the stage recorded while the item ran.
    public fileprivate(set) var notes: [String] = []
  }

  private let stored = Mutex<[Entry]>([])

  /// The items that have notes.
  public var entries: [Entry] { stored.withLock { $0.filter { !$0.notes.isEmpty } } }

  var observer: RunObserver {
    RunObserver(
      willRun: { [self] item in
        stored.withLock {
          // The clock advances only to the due time of an item that runs.
          let time = max($0.last?.time ?? .zero, item.due ?? .zero)
          $0.append(Entry(place: item.scheduler.label, time: time))
        }
      },
      noted: { [self] text in stored.withLock { if !$0.isEmpty { $0[$0.count - 1].notes.append(text) } } })
  }
}

extension Diary: CustomStringConvertible {
  /// One line for each item that has notes, with its scheduler and its notes.
  public var description: String { rows.joined(separator: "\n") }

  /// The same with the time of each item.
  var timed: String {
    let times = entries.map { "\($0.time / .seconds(1)) s" }
    let width = times.map(\.count).max() ?? 0
    return zip(times, rows).map { "  \($0.padded(to: width, .right))\($1)" }.joined(separator: "\n")
  }

  private var rows: [String] {
    let width = entries.map(\.place.count).max() ?? 0
    return entries.map { "  \($0.place.padded(to: width))  \($0.notes.joined(separator: "; "))" }
  }
}
