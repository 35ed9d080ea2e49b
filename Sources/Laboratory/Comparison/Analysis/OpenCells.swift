/// The open questions of a sequential comparison in a workload: cells whose interval allows several judgements.
///
/// An open cell needs no further blocks if every possible judgement leads to the same choice. For example, a strategy
/// that is far ahead by the second metric is the choice, whether it is level or ahead by the first.
struct OpenCells {
  private typealias Row = WorkloadAnalysis.Row

  private struct Cell {
    let row: Row
    let metric: Metric
    let possible: [Judgement]
  }

  /// With more combinations than this, every open cell counts.
  private static let mostCombinations = 5_000

  /// The strategies for which further blocks could change the choice, in table order.
  let rows: [WorkloadAnalysis.Row]

  init(_ analysis: WorkloadAnalysis, _ group: [WorkloadAnalysis.Row], _ unfit: Set<String>) {
    let cells = analysis.workload.deciding.flatMap { metric in
      group.compactMap { row -> Cell? in
        guard let cell = row.cells[metric], cell.isOpen else { return nil }
        return Cell(row: row, metric: metric, possible: cell.possibleJudgements)
      }
    }
    let matters = Self.matters(cells) { judgements in
      let elimination = Elimination(analysis, group, unfit) { row, metric in
        cells.firstIndex { $0.row.contender == row.contender && $0.metric == metric }.map { judgements[$0] }
          ?? row.cells[metric]?.judgement
      }
      return elimination.chosen.map(\.contender)
    }
    let names = zip(cells, matters).filter(\.1).map(\.0.row.contender)
    rows = group.filter { names.contains($0.contender) }
  }

  /// Whether the choice depends on each cell.
  private static func matters(_ cells: [Cell], _ choice: ([Judgement]) -> [Contender]) -> [Bool] {
    let counts = cells.map(\.possible.count)
    let combinations = counts.reduce(1) { $0 > mostCombinations ? $0 : $0 * $1 }
    guard combinations <= mostCombinations else { return cells.map { _ in true } }
    // The digits of a combination are positions in the lists of possible judgements.
    let strides = counts.indices.map { counts[..<$0].reduce(1, *) }
    let choices = (0..<combinations).map { number in
      choice(cells.indices.map { cells[$0].possible[number / strides[$0] % counts[$0]] })
    }
    return cells.indices.map { index in
      choices.indices.contains { number in
        let digit = number / strides[index] % counts[index]
        return choices[number] != choices[number - digit * strides[index]]
      }
    }
  }
}

extension MetricCell {
  /// The judgements that its interval allows.
  fileprivate var possibleJudgements: [Judgement] {
    guard let sides = effect?.sides(beyond: metric.leastGain, negligible: metric.negligible) else {
      return [.same, .better(isSure: true), .worse(isSure: true)]
    }
    let (better, worse) = metric.preference == .higher ? (sides.higher, sides.lower) : (sides.lower, sides.higher)
    return [.same] + (better ? [.better(isSure: true)] : []) + (worse ? [.worse(isSure: true)] : [])
  }
}
