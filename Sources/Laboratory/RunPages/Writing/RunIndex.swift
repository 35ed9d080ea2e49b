package import Foundation
import PlainText

/// An index of the pages for several runs, with one row for each scenario and one column for each strategy.
package struct RunIndex: Sendable {
  /// A run with its page.
  package struct Entry: Sendable {
    let row: String
    let title: String
    let column: String
    let isPassed: Bool
    let verdict: String
    let file: String

    package init(row: String, title: String, column: String, isPassed: Bool, verdict: String, file: String) {
      (self.row, self.title, self.column) = (row, title, column)
      (self.isPassed, self.verdict, self.file) = (isPassed, verdict, file)
    }
  }

  private let title: String
  private var entries: [Entry] = []

  package init(title: String) { self.title = title }

  package mutating func add(_ entry: Entry) { entries.append(entry) }

  package var html: Data {
    let columns = entries.reduce(into: [String]()) { if !$0.contains($1.column) { $0.append($1.column) } }
    let rows = entries.reduce(into: [String]()) { if !$0.contains($1.row) { $0.append($1.row) } }
    let cells = Dictionary(grouping: entries, by: \.row)
    let failed = entries.count { !$0.isPassed }
    let head = columns.map { "<th scope=\"col\">\($0.escapedForHTML)</th>" }.joined()
    let body = rows.map { row in
      let own = cells[row] ?? []
      let links = columns.map { column in
        "<td>\(own.first { $0.column == column }.map(Self.link) ?? "<span class=\"none\">-</span>")</td>"
      }.joined()
      return
        "<tr><th scope=\"row\">\(row.withVisibleControls.escapedForHTML)<br><small>\((own.first?.title ?? "").withVisibleControls.escapedForHTML)</small></th>\(links)</tr>"
    }.joined(separator: "\n")
    let count = entries.count == 1 ? "1 run" : "\(entries.count) runs"
    let heading = title.withVisibleControls
    return Data(
      RunPageWriter.document(
        heading,
        body: """
          <main class="index">
          <h1>\(heading.escapedForHTML)</h1>
          <p>\(count): \(entries.count - failed) passed, \(failed) failed. Each link opens the run at its first failure, or at its start.</p>
          <div class="scroller" tabindex="0" role="region" aria-label="Runs"><table>
          <thead><tr><th scope="col">scenario</th>\(head)</tr></thead>
          <tbody>
          \(body)
          </tbody></table></div>
          </main>
          """
      ).utf8)
  }

  private static func link(_ entry: Entry) -> String {
    let mark = entry.isPassed ? "✓ passed" : "✗ failed"
    let look = entry.isPassed ? "good" : "bad"
    return
      "<a class=\"\(look)\" href=\"\(entry.file.escapedForHTML)\" title=\"\(entry.verdict.escapedForHTML)\">\(mark)</a>"
  }
}
