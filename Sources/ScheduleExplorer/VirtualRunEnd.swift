/// How a virtual runtime came to rest.
public enum VirtualRunEnd: Sendable, Equatable {
  /// Nothing is ready, no timer is left, and nobody waits.
  case idle
  /// Nothing can go on: these places wait at gates that nobody will open.
  case deadlock(waiting: [String])
  /// There was no end in sight after the greatest number of steps.
  case livelock
}
