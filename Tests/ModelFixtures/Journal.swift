import EventBus
package import FetcherModel

/// A record of the starts and ends of fetches in order, which can wait for an entry.
@MainActor package final class Journal {
  package enum Entry: Sendable, Equatable {
    case started(ImageID)
    /// The fetch ended, with or without a picture.
    case ended(ImageID)
  }

  private struct Waiter {
    let entry: Entry
    let continuation: CheckedContinuation<Void, Never>
  }

  private var entries: [Entry] = []
  private var waiters: [Waiter] = []

  nonisolated package init() {}

  package func record(_ entry: Entry) {
    entries.append(entry)
    let due = waiters.filter { $0.entry == entry }
    waiters.removeAll { $0.entry == entry }
    for waiter in due { waiter.continuation.resume() }
  }

  package var count: Int { entries.count }

  package func position(of entry: Entry) -> Int? { entries.firstIndex(of: entry) }

  /// Returns when such an entry exists at or after `position`.
  package func wait(for entry: Entry, from position: Int) async {
    await withCheckedContinuation { continuation in
      // Check inside the closure, because another action of main may run before the closure does.
      if entries[position...].contains(entry) { return continuation.resume() }
      waiters.append(Waiter(entry: entry, continuation: continuation))
    }
  }
}
