/// How a virtual runtime came to rest.
public enum VirtualRunEnd: Sendable, Equatable {
  /// Nothing is ready, no timer is left, and nobody waits.
  case idle
  /// Nothing can go on: these schedulers wait at gates that nobody will open.
  case deadlock(waiting: [String])
  /// So many closures ran while the time stood still, and more were ready.
  case livelock(steps: Int)
  /// So many closures ran in all, and there was no end in sight although the time went on.
  case endless(steps: Int)
}
