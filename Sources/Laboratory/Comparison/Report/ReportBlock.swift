/// A piece of a report, before it is text, Markdown or HTML.
package enum ReportBlock: Sendable, Equatable {
  /// - Parameter of: the workload that the blocks up to the next heading are about.
  case heading(String, of: Workload? = nil)
  case paragraph(String)
  /// A reason to doubt the numbers.
  case warning(String)
  /// The answer for one subject, with its reasons.
  case answer(subject: String, text: String, reasons: [String])
  case table(ReportTable)
  case note(String)
}

/// A table. The columns in `wordColumns` are words, the others numbers.
package struct ReportTable: Sendable, Equatable {
  package let header: [String]
  package private(set) var rows: [[Cell]] = []
  /// Columns of words, counted from zero.
  package let wordColumns: Set<Int>

  package init(_ header: [String], wordColumns: Set<Int> = [0]) {
    self.header = header
    self.wordColumns = wordColumns
  }

  /// Adds a row with one cell for each column.
  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count == header.count, "a row needs \(header.count) cells")
    rows.append(cells)
  }

  /// The text of a cell, and what it means, so that a renderer does not have to read the text.
  package struct Cell: Sendable, Equatable {
    enum Meaning: Sendable { case good, bad, sure, weak }

    package let text: String
    let meaning: Meaning?
    /// Whether a sign after the number shows the meaning.
    private(set) var isMarked = false

    package init(_ text: String) {
      self.text = text
      meaning = nil
    }

    private init(_ text: String, _ meaning: Meaning?, isMarked: Bool = false) {
      self.text = text
      self.meaning = meaning
      self.isMarked = isMarked
    }

    static let missing = Cell("n/a", .weak)

    /// The confidence of a choice.
    init(_ verdict: Certainty.Verdict) { self.init(verdict.rawValue, verdict == .sure ? .sure : .weak) }

    /// Whether a scenario holds.
    init(_ verdict: BehaviourCell.Verdict) {
      switch verdict {
      case .holds: self.init(verdict.rawValue)
      case .breaks: self.init(verdict.rawValue, .bad)
      case .other: self = .missing
      }
    }

    /// A number, or an effect, with the word of a judgement behind it.
    init(_ text: String, _ judgement: Judgement) {
      self.init("\(text) \(judgement.mark)", Self.meaning(judgement))
    }

    /// A number with a sign behind it, if it is better or worse than the reference by a difference that counts.
    init(signed number: String, _ judgement: Judgement) {
      guard let meaning = Self.meaning(judgement) else {
        self.init(number)
        return
      }
      self.init(number + (meaning == .good ? ReportTable.better : ReportTable.worse), meaning, isMarked: true)
    }

    private static func meaning(_ judgement: Judgement) -> Meaning? {
      judgement.counts ? (judgement.isBetter ? .good : .bad) : nil
    }

    fileprivate func spaced() -> Cell { Cell(text + "  ") }
  }

  static let better = " ✓"
  static let worse = " ✗"

  /// Adds spaces where other cells of a column have a sign, so that the digits of the column stay aligned.
  func aligningMarks() -> ReportTable {
    let marked = header.indices.filter { index in rows.contains { $0[index].isMarked } }
    var table = self
    for index in rows.indices {
      for column in marked where !rows[index][column].isMarked {
        table.rows[index][column] = rows[index][column].spaced()
      }
    }
    return table
  }
}
