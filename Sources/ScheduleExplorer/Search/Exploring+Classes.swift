import VirtualTime

/// The search of everything that runs one schedule of each class.
extension Exploring {
  private static let mostAudits = 200
  private static let auditsPerRun = 4

  mutating func runClasses() {
    let sets = SleepSets()
    var reduction = Statistics.Reduction()
    var generator = Generator(seed: explorer.seed, run: 0)
    defer { statistics.reduction = reduction }
    repeat {
      guard attempt(.classes(sets), .exhaustive) else { return }
      if sets.hasDiverged { return }
      if sets.isBlocked {
        reduction.redundant += 1
        continue
      }
      reduction.classes += 1
      let (sequence, ending) = (sets.sequence, lastEnding)
      var pairs = sets.independentNeighbours
      for _ in 0..<min(pairs.count, Self.auditsPerRun, Self.mostAudits - reduction.audited) {
        let first = pairs.remove(at: generator.next(below: pairs.count))
        reduction.audited += 1
        guard let lie = audit(sequence, swapping: first, ending) else { continue }
        reduction.lie = lie
        return
      }
    } while sets.advance()
    reduction.isEverything = true
  }

  /// Runs the items again with two neighbours swapped. Returns their names if the run then ends in another way.
  private func audit(_ sequence: [UInt64], swapping first: Int, _ ending: String) -> String? {
    var swapped = sequence
    swapped.swapAt(first, first + 1)
    let (sets, recorder) = (SleepSets(following: swapped), Recorder())
    let other = Self.ending(of: trial.run(.classes(sets), recorder))
    guard other != ending || sets.hasDiverged else { return nil }
    let names = [sequence[first], sequence[first + 1]].map { identity in
      recorder.steps.first { $0.item.identity == identity }.map { "“\($0.name)” on \($0.item.place.label)" }
        ?? "an item"
    }
    return "\(names[0]) and \(names[1]) touch something that they do not state: swapped, the run ends differently"
  }
}
