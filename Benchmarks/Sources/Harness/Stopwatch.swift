import Synchronization

/// Times one contender of a row.
final class Stopwatch {
  private let operations: Int
  private let work: Contender.Work
  private var repetitions = 1
  /// Nanoseconds for each operation, one figure for each turn.
  private(set) var samples: [Double] = []

  init(operations: Int, _ work: @escaping Contender.Work) {
    self.operations = operations
    self.work = work
  }

  /// Finds out how many repetitions fill a turn. Doubling on the way there warms caches and pools.
  func calibrate(to turn: Duration) {
    var spent = time()
    while spent < turn {
      // Four times at most: the first repetitions are slow, and say little about the later ones.
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
