import Synchronization

/// The numbers that stand for channels and subscribers in a ``HazardRecord``: 24 bits of channel, then 40 of registration.
///
/// After sixteen million channels the numbers begin again; two channels of one number wait for each other's deliveries before
/// they release, and nothing else.
enum Ticket {
  static let channelBits: UInt64 = ~0 << 40

  private static let channels = Atomic<UInt64>(0)

  /// A number for a new channel, never 0.
  static func forChannel() -> UInt64 {
    let number = channels.wrappingAdd(1, ordering: .relaxed).oldValue % ((1 << 24) - 1)
    return (number + 1) << 40
  }
}
