extension Row {
  /// Measures all contenders.
  ///
  /// The contenders take turns, and each round starts with a different one. Other load on the machine therefore affects all of them
  /// equally.
  public func measure(_ effort: Effort) -> RowReading {
    var stopwatches: [Int: Stopwatch] = [:]
    var samples = contenders.map { _ in [Double]() }
    for (place, contender) in contenders.enumerated() {
      switch contender.measure {
      case .counted(let read): samples[place] = read().map { [$0] } ?? []
      case .timed(let operations, let prepare):
        let stopwatch = Stopwatch(operations: operations, prepare())
        stopwatch.calibrate(to: effort.turn)
        stopwatches[place] = stopwatch
      }
    }
    for round in 0..<effort.rounds {
      for turn in contenders.indices {
        stopwatches[(round + turn) % contenders.count]?.takeTurn()
      }
    }
    for (place, stopwatch) in stopwatches { samples[place] = stopwatch.samples.map { $0 / (unit.nanoseconds ?? 1) } }
    let readings = zip(contenders, samples).enumerated().map { place, pair in
      Reading(of: pair.0, pair.1, against: place == 0 || unit.nanoseconds == nil ? nil : samples[0])
    }
    return RowReading(name: name, work: work, unit: unit, readings: readings)
  }
}
