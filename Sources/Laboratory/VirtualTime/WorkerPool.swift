/// How many threads the workers of a virtual runtime have.
public enum WorkerPool: Sendable, Equatable {
  /// As Dispatch on Linux: as many as there are cores, and one more for each second in which all of them are blocked.
  case linux(cores: Int)
  /// As Dispatch on Apple platforms: up to a limit, usually 64.
  case darwin(limit: Int)
  /// Always so many.
  case fixed(width: Int)

  /// The number of threads to begin with, at least one.
  var size: Int {
    switch self {
    case .linux(let count), .darwin(let count), .fixed(let count): max(1, count)
    }
  }

  /// Whether a second of blockage brings one more.
  var grows: Bool { if case .linux = self { true } else { false } }
}
