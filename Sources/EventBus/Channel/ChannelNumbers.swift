/// The numbers of the living channels of the process, each of which is unique.
///
/// A number has 24 bits, so it is reused when its channel is released. At that time, no thread is in the channel and no
/// token of its subscriptions exists.
enum ChannelNumbers {
  /// The number that a channel has in a ``HazardRecord``, which is never 0, and the last registration with this number.
  /// Registrations continue where the previous channel ended, so a trace never repeats a subscription's identity.
  struct Entry: Sendable {
    let number: UInt64
    var registrations: UInt64
  }

  private struct State {
    var made: UInt64 = 0
    var unused: [Entry] = []
  }

  private static let most: UInt64 = (1 << 24) - 1
  private static let state = Locked(State())

  static func take() -> Entry {
    state.withLock { state in
      if let entry = state.unused.popLast() { return entry }
      if state.made == most { fatalError("The buses of this process have more than \(most) event types in total.") }
      state.made += 1
      return Entry(number: state.made << 40, registrations: 0)
    }
  }

  static func giveBack(_ entry: Entry) { state.withLock { $0.unused.append(entry) } }
}
