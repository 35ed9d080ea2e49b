import PlainText

/// How strictly a virtual runtime keeps to due times.
public enum Timing: Sendable, Equatable {
  /// Delayed items run when they are due, in the order of their due times. A policy can choose among items that are due
  /// at the same time. Among these, delayed items of one kind on one serial scheduler keep their order, except sleeps.
  case exact
  /// The network can be slower, and the user faster, than stated. A completion can run at any time after its request
  /// has started. A user step can run at any time after the previous step. If the due time is in the future, the clock
  /// jumps to it. All other timers keep their order. In unmodified Swift code, a `Task.sleep` represents any work that
  /// takes time. Every sleep can therefore end as soon as it has begun.
  case any
  /// Like ``any``, but completions, user steps and `Task.sleep` are at most the given duration late, and timers keep to
  /// their due times.
  case slack(Duration)
}

/// The number of worker threads of a virtual runtime.
public enum WorkerPool: Sendable, Equatable {
  /// Like Dispatch on Linux: one thread per core, plus one for each second in which all of them are blocked.
  case linux(cores: Int)
  /// Like Dispatch on Apple platforms: up to a limit of usually 64 threads.
  case darwin(limit: Int)
  /// A fixed number of threads.
  case fixed(width: Int)

  /// The initial number of threads, which is at least one.
  var size: Int {
    switch self {
    case .linux(let count), .darwin(let count), .fixed(let count): max(1, count)
    }
  }

  var grows: Bool { if case .linux = self { true } else { false } }
}

/// Why the run of a virtual runtime ended.
public enum VirtualRunEnd: Sendable, Equatable {
  /// No item is ready, no timer is pending, and no closure waits at a gate.
  case idle
  /// Closures on these schedulers wait at gates that no item can open.
  case deadlock(waiting: [String])
  /// The run reached the limit on closures that run without advancing the clock, and more were ready.
  case livelock(steps: Int)
  /// The run reached the limit on the total number of closures, although the clock advanced.
  case endless(steps: Int)
}
