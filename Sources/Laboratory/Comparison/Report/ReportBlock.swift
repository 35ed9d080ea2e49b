/// One piece of a report, independent of the output format.
package enum ReportBlock: Sendable, Equatable {
  case heading(String)
  case paragraph(String)
  /// A reason to doubt the numbers.
  case warning(String)
  /// An answer for one subject, with its reasons.
  case answer(subject: String, text: String, reasons: [String])
  case table(ReportTable)
  case note(String)
  /// A command to run, without a prompt.
  case command(String)
  /// A blank line in text.
  case gap
}

/// A table. The columns in `wordColumns` contain words, and the other columns contain numbers.
package struct ReportTable: Sendable, Equatable {
  package let header: [String]
  package private(set) var rows: [[Cell]] = []
  /// The indexes of the columns that contain words.
  package let wordColumns: Set<Int>

  package init(_ header: [String], wordColumns: Set<Int> = [0]) {
    self.header = header
    self.wordColumns = wordColumns
  }

  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count == header.count, "a row needs \(header.count) cells")
    rows.append(cells)
  }

  /// The text and the meaning of a cell. Renderers use the meaning, so they do not have to parse the text.
  package struct Cell: Sendable, Equatable {
    enum Meaning: Sendable { case good, bad, weak }

    package let text: String
    let meaning: Meaning?
    /// Whether the text ends with a mark that shows the meaning.
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

    /// Creates a cell with a number and its standing in words.
    init(_ text: String, _ standing: Standing?) {
      switch standing {
      case .better: self.init(text, .good)
      case .worse: self.init(text, .bad)
      case .tie, .reference: self.init(text)
      case .open, .probablyBetter, .probablyWorse, .unknown, nil: self.init(text, .weak)
      }
    }

    init(_ verdict: BehaviorCell.Verdict) {
      switch verdict {
      case .holds: self.init(verdict.rawValue)
      case .breaks: self.init(verdict.rawValue, .bad)
      case .other: self = .missing
      }
    }

    /// Creates a cell with a number or an effect, followed by its judgement in words.
    init(_ text: String, _ judgement: Judgement) {
      self.init("\(text) \(judgement.mark)", Self.meaning(judgement))
    }

    /// Creates a cell with a number. If the number differs from the reference by an amount that counts, a mark follows
    /// the number.
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

  /// Returns a table in which cells without a mark are padded with spaces if other cells in their column have one. The
  /// padding keeps the digits aligned.
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
