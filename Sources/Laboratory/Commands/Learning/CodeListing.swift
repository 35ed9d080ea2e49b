import CommandLineTool
import Foundation
import PlainText

/// Formats code with line numbers, and shows the differences between two variants.
struct CodeListing {
  private static let around = 7

  let lines: [String]

  /// Returns all lines, or only the lines around the marked lines.
  func rows(marking marks: [Int] = [], _ style: TextStyle) -> [String] {
    let shown = marks.isEmpty ? IndexSet(lines.indices) : IndexSet(marks.flatMap(around))
    return shown.flatMap { index in
      let row = String(index + 1).padded(to: 3, .right) + "  " + lines[index]
      let isMarked = marks.contains(index)
      let isBehindGap = index > 0 && index != shown.first && !shown.contains(index - 1)
      return (isBehindGap ? ["   …"] : [])
        + [isMarked ? style(.red, ">" + row) : lines[index].isEmpty ? " " + row.withoutEndSpaces : " " + row]
    }
  }

  private func around(_ mark: Int) -> Range<Int> {
    max(0, mark - Self.around)..<min(lines.count, mark + Self.around + 1)
  }

  /// Returns the removed and added lines, each with two lines of context.
  func difference(to other: CodeListing, _ style: TextStyle) -> [String] {
    let difference = other.lines.difference(from: lines)
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let line, _, _): removed.insert(line)
      case .insert(let line, _, _): added.insert(line)
      }
    }
    var rows: [(text: String, isChange: Bool)] = []
    var (old, new) = (0, 0)
    while old < lines.count || new < other.lines.count {
      if removed.contains(old) {
        rows.append((style(.red, "-  " + lines[old]), true))
        old += 1
      } else if added.contains(new) {
        rows.append((style(.green, "+  " + other.lines[new]), true))
        new += 1
      } else {
        rows.append((("   " + lines[old]).withoutEndSpaces, false))
        (old, new) = (old + 1, new + 1)
      }
    }
    var result: [String] = []
    for (index, row) in rows.enumerated() {
      let near = rows[max(0, index - 2)...min(rows.count - 1, index + 2)]
      if near.contains(where: \.isChange) {
        result.append(row.text)
      } else if let last = result.last, last != "   …" {
        result.append("   …")
      }
    }
    if result.last == "   …" { result.removeLast() }
    return result
  }
}
