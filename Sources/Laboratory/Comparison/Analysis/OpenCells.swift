/// The open questions of a sequential comparison in one workload. These are the cells whose interval is compatible with
/// several judgements.
///
/// An open cell needs no further blocks if every possible judgement leads to the same choice. For example, a strategy
/// that is far ahead in the second metric is chosen regardless of whether it is level or ahead in the first.
struct OpenCells {
  private typealias Row = WorkloadAnalysis.Row

  private struct Cell {
    let row: Row
    let metric: Metric
    let possible: [Judgement]
  }

  /// The maximum number of combinations to try. If there are more, every open cell is assumed to matter.
  private static let mostCombinations = 5_000

  /// The strategies whose results in further blocks could change the choice, in table order.
  let rows: [WorkloadAnalysis.Row]
  /// The strategies that some of the possible judgements choose, in table order.
  let possible: [WorkloadAnalysis.Row]

  init(_ analysis: WorkloadAnalysis, _ group: [WorkloadAnalysis.Row], _ unfit: Set<String>) {
    let cells = analysis.workload.deciding.flatMap { metric in
      group.compactMap { row -> Cell? in
        guard let cell = row.cells[metric], cell.isOpen else { return nil }
        return Cell(row: row, metric: metric, possible: cell.possibleJudgements)
      }
    }
    let choose = { (judgements: [Judgement]) in
      let elimination = Elimination(analysis, group, unfit) { row, metric in
        cells.firstIndex { $0.row.contender == row.contender && $0.metric == metric }.map { judgements[$0] }
          ?? row.cells[metric]?.judgement
      }
      return elimination.chosen.map(\.contender)
    }
    let counts = cells.map(\.possible.count)
    let combinations = counts.reduce(1) { $0 > Self.mostCombinations ? $0 : $0 * $1 }
    guard combinations <= Self.mostCombinations else {
      rows = group.filter { row in cells.contains { $0.row.contender == row.contender } }
      possible = group.filter { !unfit.contains($0.contender.name) }
      return
    }
    // Each digit of a combination's number is an index into a cell's list of possible judgements.
    let strides = counts.indices.map { counts[..<$0].reduce(1, *) }
    let choices = (0..<combinations).map { number in
      choose(cells.indices.map { cells[$0].possible[number / strides[$0] % counts[$0]] })
    }
    let matter = cells.indices.filter { index in
      choices.indices.contains { number in
        let digit = number / strides[index] % counts[index]
        return choices[number] != choices[number - digit * strides[index]]
      }
    }
    let names = matter.map { cells[$0].row.contender }
    rows = group.filter { names.contains($0.contender) }
    possible = group.filter { row in choices.contains { $0.contains(row.contender) } }
  }
}

extension MetricCell {
  /// The judgements that the cell's interval allows.
  fileprivate var possibleJudgements: [Judgement] {
    guard let sides = effect?.sides(beyond: metric.leastGain, negligible: metric.negligible) else {
      return [.same, .better(isSure: true), .worse(isSure: true)]
    }
    let (better, worse) = metric.preference == .higher ? (sides.higher, sides.lower) : (sides.lower, sides.higher)
    return [.same] + (better ? [.better(isSure: true)] : []) + (worse ? [.worse(isSure: true)] : [])
  }
}
