import Bytes
package import VirtualTime

/// One recorded item of a run.
package struct RecordedStep: Sendable {
  package let item: ReadyItem
  package internal(set) var notes: [String] = []
  /// What the program stated about it, for a drawing.
  package internal(set) var marks: [RunMark] = []
  /// Its name in the program, or the task of its job.
  var label: String?
  /// Whether it only reads state, or follows from such an item and has no name.
  var onlyLooks = false
  /// Whether it has no row in the report.
  package var isLook: Bool { onlyLooks && notes.isEmpty }
  /// For a job of a task: the addresses where it resumed, innermost first, and where the task was created.
  var addresses: [CodeAddress] = []
  /// The same as text, if they are in the program's code.
  package internal(set) var site: String?
  /// The nearest named cause.
  var origin: String?
  /// The choice that led here, if it deviates.
  package internal(set) var deviation: Deviations.Deviation?
  /// The number of choices up to and including its own.
  var choices = 0

  /// A longer name leaves no room for the source location.
  private static let mostOfName = 40

  /// The text of the item's name: its first note, or else its label, its cause or its kind.
  var text: String { notes.first { !$0.isEmpty } ?? label ?? descent ?? "\(item.kind)" }
  /// Its kind and notes, or else its location, or its cause.
  package var name: String {
    let text = notes.joined(separator: "; ")
    if let label { return notes.isEmpty ? label : "\(label): \(text)" }
    return notes.isEmpty ? site.map { "\(item.kind): \($0)" } ?? descent ?? item.title : text
  }
  /// Its name, and its location if it has no notes.
  var title: String {
    guard label != nil, notes.isEmpty, let site else { return name }
    return "\(name.cut(to: Self.mostOfName)): \(site)"
  }
  /// Whether its title contains its location in the program.
  var showsSite: Bool { notes.isEmpty && site != nil }

  private var descent: String? {
    origin.map { origin in
      switch item.kind {
      case .closure: "after \(origin)"
      case .resumption: "resumes after \(origin)"
      case .job, .timer, .completion, .step, .sleep: "\(item.kind) after \(origin)"
      }
    }
  }
}

/// The items of a run. Each is named by its kind and notes, or by its cause.
package struct RunLog: Sendable {
  package private(set) var steps: [RecordedStep] = []
  /// The work that the program awaits, if it has not ended.
  var waiting: [WaitingTask] = []
  /// The indices by the numbers of the items.
  private var positions: [Int: Int] = [:]

  package init() {}

  package mutating func add(_ item: ReadyItem) { add(RecordedStep(item: item)) }

  mutating func add(_ step: RecordedStep) {
    var step = step
    if let cause = step.item.cause.flatMap({ positions[$0] }) {
      step.origin = steps[cause].label ?? steps[cause].notes.first ?? steps[cause].origin
      step.onlyLooks = steps[cause].onlyLooks
    }
    positions[step.item.number] = steps.count
    steps.append(step)
  }

  /// Adds a note to the last item.
  package mutating func note(_ text: String) {
    if !steps.isEmpty { steps[steps.count - 1].notes.append(text.printable) }
  }

  mutating func mark(_ mark: RunMark) {
    if !steps.isEmpty { steps[steps.count - 1].marks.append(mark) }
  }

  /// Records that the last item is a job of the task with that name, at that location.
  mutating func resume(_ task: String?, _ addresses: [CodeAddress]) {
    guard let last = steps.indices.last else { return }
    steps[last].label = task?.printable
    steps[last].addresses = addresses
  }

  /// Names the last item.
  package mutating func name(_ label: String, onlyLooks: Bool = false) {
    guard let last = steps.indices.last else { return }
    steps[last].onlyLooks = onlyLooks
    steps[last].label = label.printable
  }
}

extension String {
  /// Without characters that a terminal would interpret.
  fileprivate var printable: String {
    contains { $0.isNewline || $0.isControl } ? String(map { $0.isNewline || $0.isControl ? " " : $0 }) : self
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension ReadyItem {
  /// Its own description: `timer #3`.
  package var title: String { "\(kind) #\(number)" }
}

extension [RecordedStep] {
  /// With source locations in the program's code, whose lookup takes a moment.
  var located: [RecordedStep] {
    let sites = CodeSites(flatMap(\.addresses))
    return map { step in
      var step = step
      step.site = sites.first(of: step.addresses)
      return step
    }
  }

  /// The run's name for an item, whether it ran or not.
  func name(of item: ReadyItem) -> String { step(of: item)?.name ?? item.title }

  /// The names of both, as short as possible while they differ: `“load Rome” on tasks`.
  func names(of one: ReadyItem, _ other: ReadyItem) -> (String, String) {
    let names = [one, other].map(name)
    let titles = [one, other].map { step(of: $0)?.title ?? $0.title }
    let areApart = [names, titles].first { one.scheduler != other.scheduler || $0[0] != $0[1] }
    let texts = areApart ?? zip(names, [one, other]).map { "\($0) #\($1.number)" }
    return ("“\(texts[0])” on \(one.scheduler.label)", "“\(texts[1])” on \(other.scheduler.label)")
  }

  private func step(of item: ReadyItem) -> RecordedStep? { first { $0.item.identity == item.identity } }
}
