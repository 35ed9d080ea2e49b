import PlainText
import VirtualTime

/// The items of a run: one row for each item, and one column for each scheduler. If the run keeps to due times and the
/// clock advances, a column states the time. Only a row with a source location may exceed 80 columns.
struct ScheduleTable: CustomStringConvertible {
  private static let width = 80
  private static let widthWithSite = 120
  private static let leastColumn = 13
  private static let maximumRows = 200
  /// A longer table begins with an extract of its decisive rows.
  private static let longTable = 40

  let steps: [RecordedStep]
  /// The failure to print after the item that shows it, or at the end. Nil for a run that passed.
  let finding: Finding?
  /// Whether the run keeps to due times.
  var hasTimes = false
  /// The identities of items that the table counts but does not list.
  var folded: Set<UInt64> = []
  /// The items whose order determines whether the run fails. They are always listed.
  var pair: [ReadyItem] = []
  /// The unfinished work that the program is awaiting.
  var waiting: [String] = []

  var description: String {
    let labels = columns
    var hidden = 0
    let times = self.times
    let lead = 8 + (times.first?.count ?? 0)
    let width = (Self.width - 2 - lead) / max(labels.count, 1)
    let head =
      ("  item" + (times.isEmpty ? "" : "time".padded(to: lead - 8, .right))).padded(to: lead)
      + labels.map { Self.fit($0, width) }.joined()
    var lines = [head]
    var extract = [head]
    let guilty = self.guilty
    let left = max(0, steps.count - Self.maximumRows)
    if left > 0 { lines.append("        … \(left.counted("item")) before") }
    for (index, step) in steps.enumerated() {
      let isDecisive = step.deviation != nil || isInPair(step) || index == guilty
      if index < left, !isDecisive { continue }
      if isFolded(step), index != guilty {
        if index >= left { hidden += 1 }
        continue
      }
      if hidden > 0 { lines.append(Self.fold(hidden)) }
      hidden = 0
      let mark = step.deviation == nil ? " " : "*"
      let column = labels.firstIndex(of: step.item.scheduler.label) ?? labels.count - 1
      let name = labels.contains(step.item.scheduler.label) ? step.title : "\(step.item.scheduler.label): \(step.title)"
      let gap = String(repeating: " ", count: column * width)
      let choice = step.deviation.map { "  \($0.choice):\($0.index)" } ?? ""
      let room = (step.showsSite ? Self.widthWithSite : Self.width) - lead - gap.count - choice.count
      let parts = String(name.map { $0.isNewline ? " " : $0 }).wrapped(to: room)
      let time = times.isEmpty ? "" : times[index]
      let start = "\(mark) \(String(index + 1).padded(to: 4, .right))\(time)  \(gap)"
      var row =
        [start + (parts.first ?? "") + choice]
        + parts.dropFirst().map { String(repeating: " ", count: start.count) + $0 }
      if let finding, index == guilty, index < steps.count - 1 {
        row.append(Self.cut("✗ item \(index + 1): \(finding)", Self.width))
      }
      if index >= left { lines += row }
      if isDecisive { extract += row }
    }
    if hidden > 0 { lines.append(Self.fold(hidden)) }
    for item in pair where !steps.contains(where: { $0.item.identity == item.identity }) {
      let row = "  not run: \(steps.name(of: item)) on \(item.scheduler.label)"
      lines.append(row)
      extract.append(row)
    }
    if lines.count > Self.longTable {
      lines = ["The decisive items:"] + extract + ["", "All items:"] + lines
    }
    if let finding, guilty == steps.count - 1 || steps.isEmpty {
      lines.append(Self.cut("✗ after item \(steps.count): \(finding)", Self.width))
    }
    lines += waiting.map { "  \($0)" }
    let entries = steps.compactMap { step in step.deviation.map { "\($0.choice):\($0.index)" } }
    if !entries.isEmpty {
      lines.append("* overtakes items queued before it; the token stores this as \(entries.joined(separator: ", "))")
    }
    if steps.contains(where: isFolded) {
      let end = finding == nil ? "ends" : "fails"
      lines.append("… items that do not matter: early or late, the run \(end) in the same way")
    }
    return lines.map(\.withoutEndSpaces).joined(separator: "\n")
  }

  /// The index of the item that shows the failure, or of the last one.
  private var guilty: Int {
    guard var note = finding?.note else { return steps.count - 1 }
    for (index, step) in steps.enumerated() {
      if note < step.notes.count { return index }
      note -= step.notes.count
    }
    return steps.count - 1
  }

  private func isFolded(_ step: RecordedStep) -> Bool {
    if isInPair(step) { return false }
    return folded.contains(step.item.identity) || step.isLook && step.deviation == nil
  }

  private func isInPair(_ step: RecordedStep) -> Bool { pair.contains { $0.identity == step.item.identity } }

  private static func fold(_ count: Int) -> String { "        … \(count.counted("item"))" }

  /// The schedulers, in the order of their first items. Contains only the schedulers that fit.
  private var columns: [String] {
    var labels: [String] = []
    for (index, step) in steps.enumerated()
    where (!isFolded(step) || index == guilty) && !labels.contains(step.item.scheduler.label) {
      labels.append(step.item.scheduler.label)
    }
    let most = (Self.width - 10 - (times.first?.count ?? 0)) / Self.leastColumn
    return labels.count <= most ? labels : Array(labels.prefix(most - 1)) + ["others"]
  }

  /// The time of each item in seconds, all padded to the same width. Empty if the table has no time column.
  private var times: [String] {
    guard hasTimes else { return [] }
    var (now, times) = (Duration.zero, [Duration]())
    for step in steps {
      // The clock advances only to the due time of an item that runs.
      now = max(now, step.item.due ?? .zero)
      times.append(now)
    }
    guard let end = times.last, end > .zero else { return [] }
    let texts = times.map { "\($0 / .seconds(1)) s" }
    let width = (texts.map(\.count).max() ?? 0) + 2
    return texts.map { $0.padded(to: width, .right) }
  }

  private static func cut(_ text: String, _ width: Int) -> String {
    String(text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 } ? " " : $0 }).cut(to: width)
  }

  private static func fit(_ text: String, _ width: Int) -> String {
    cut(text, width - 1).padded(to: width)
  }
}
