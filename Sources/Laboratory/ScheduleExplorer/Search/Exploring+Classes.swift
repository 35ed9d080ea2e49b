import Bytes
import VirtualTime

/// The search of everything that runs one schedule of each class.
extension Exploring {
  private static let auditedRuns = 20
  private static let auditsPerRun = 10

  mutating func runClasses() {
    let sets = SleepSets()
    var reduction = Statistics.Reduction()
    reduction.unit = explorer.unit
    var generator = SplitMix64(seed: explorer.seed, run: 0)
    defer { statistics.reduction = reduction }
    repeat {
      guard attempt(.classes(sets), .exhaustive) else { return }
      if sets.hasDiverged { return }
      if sets.isBlocked {
        reduction.redundant += 1
        continue
      }
      reduction.classes += 1
      // Classes that come one after the other are alike: later on only few of them.
      guard reduction.classes <= Self.auditedRuns || reduction.classes.nonzeroBitCount == 1 else { continue }
      reduction.lie = lie(in: sets, &reduction.audited, &generator)
      if reduction.lie != nil { return }
    } while sets.advance()
    reduction.isEverything = true
  }

  /// Swaps independent neighbours one after the other, so that items meet which are not neighbours in this run.
  private func lie(in run: SleepSets, _ audited: inout Int, _ generator: inout SplitMix64) -> String? {
    var (run, last) = (run, -1)
    for _ in 0..<Self.auditsPerRun {
      let pairs = run.independentNeighbours.filter { $0 != last }
      guard !pairs.isEmpty else { return nil }
      last = pairs[generator.next(below: pairs.count)]
      audited += 1
      let audit = audit(run.sequence, swapping: last, lastEnding)
      if let lie = audit.lie { return lie }
      run = audit.run
    }
    return nil
  }

  /// Runs the items again with two neighbours swapped. Names them if the run then ends in another way.
  private func audit(
    _ sequence: [UInt64], swapping first: Int, _ ending: String
  ) -> (run: SleepSets, lie: String?) {
    var swapped = sequence
    swapped.swapAt(first, first + 1)
    let (sets, recorder) = (SleepSets(following: swapped), Recorder())
    let other = Self.ending(of: trial.run(.classes(sets), recorder))
    guard other != ending || sets.hasDiverged else { return (sets, nil) }
    let names = [sequence[first], sequence[first + 1]].map { identity in
      recorder.steps.first { $0.item.identity == identity }.map { "“\($0.name)” on \($0.item.scheduler.label)" }
        ?? "an item"
    }
    return (
      sets, "\(names[0]) and \(names[1]) touch something that they do not state: swapped, the run ends differently"
    )
  }
}
