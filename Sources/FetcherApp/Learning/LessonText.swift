import Foundation

/// The text of a lesson: a title, and sections with headings.
struct LessonText: Sendable {
  /// After `# `.
  let title: String
  private let sections: [(heading: String, lines: [String])]

  /// Reads `lesson.md`.
  init(_ text: String) {
    var title = ""
    var sections: [(heading: String, lines: [String])] = []
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("# "), title.isEmpty {
        title = String(line.dropFirst(2))
      } else if line.hasPrefix("## ") {
        sections.append((String(line.dropFirst(3)), []))
      } else if !sections.isEmpty {
        sections[sections.count - 1].lines.append(line)
      }
    }
    self.title = title
    self.sections = sections
  }

  /// The headings, in order.
  var headings: [String] { sections.map(\.heading) }

  /// The paragraphs of a section, each as one line; none where there is no such section.
  func paragraphs(_ heading: String) -> [String] {
    let lines = self.lines(heading)
    return lines.split { $0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// The hints, without their numbers.
  var hints: [String] {
    lines("Hints").reduce(into: [String]()) { hints, line in
      if let match = line.prefixMatch(of: /[0-9]+\.\s/) {
        hints.append(String(line[match.range.upperBound...]))
      } else if !line.isEmpty, !hints.isEmpty {
        hints[hints.count - 1] += " " + line.drop { $0 == " " }
      }
    }
  }

  private func lines(_ heading: String) -> [String] { sections.first { $0.heading == heading }?.lines ?? [] }
}
