import Synchronization

/// Times one contender of a row.
final class Stopwatch {
  private let operations: Int
  private let work: Contender.Work
  private var repetitions = 1
  /// Nanoseconds per operation, one figure per turn.
  private(set) var samples: [Double] = []

  init(operations: Int, _ work: @escaping Contender.Work) {
    self.operations = operations
    self.work = work
  }

  /// Finds the number of repetitions that fill a turn. The growing attempts warm caches and pools.
  func calibrate(to turn: Duration) {
    var spent = time()
    while spent < turn {
      // Grow at most fourfold: the first repetitions are slow, and do not predict the later ones.
      let missing = (turn / max(spent, .nanoseconds(1))).rounded(.up)
      repetitions *= Int(min(max(missing, 2), 4))
      spent = time()
    }
  }

  func takeTurn() {
    let operations = Double(repetitions * operations)
    samples.append(time() / .nanoseconds(1) / operations)
  }

  private func time() -> Duration {
    let unmeasured = UnmeasuredTime()
    let whole = UnmeasuredTime.$current.withValue(unmeasured) {
      ContinuousClock().measure { work(repetitions) }
    }
    return whole - unmeasured.total.withLock { $0 }
  }
}
