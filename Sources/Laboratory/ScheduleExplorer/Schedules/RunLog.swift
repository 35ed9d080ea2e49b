import Bytes
package import VirtualTime

/// One recorded item of a run.
package struct RecordedStep: Sendable {
  package let item: ReadyItem
  var notes: [String] = []
  /// What the program calls it, or the task that it is a job of.
  var label: String?
  /// Whether it only looked how things are, or comes from such a look and has no name of its own.
  var onlyLooks = false
  /// Whether it is not worth a row.
  package var isLook: Bool { onlyLooks && notes.isEmpty }
  /// Of the job of a task: where it went on, innermost first, and where the task was made.
  var addresses: [CodeAddress] = []
  /// The same in words, where that is in the program's own code.
  var site: String?
  /// The nearest one that has a name, of those that it comes from.
  var origin: String?
  /// How the schedule got here, where it deviates.
  var deviation: Deviations.Deviation?
  /// How many choices had been made when it began, its own included.
  var choices = 0

  /// A longer name leaves no room for the source location.
  private static let mostOfName = 40

  /// The text of the item's name: its first note, or else its label, its cause or its kind.
  var text: String { notes.first { !$0.isEmpty } ?? label ?? descent ?? "\(item.kind)" }
  /// What it is and did, or else where it goes on, or where it comes from.
  package var name: String {
    let text = notes.joined(separator: "; ")
    if let label { return notes.isEmpty ? label : "\(label): \(text)" }
    return notes.isEmpty ? site.map { "\(item.kind): \($0)" } ?? descent ?? item.title : text
  }
  /// Its name, and where it goes on if it did nothing that has a name.
  var title: String {
    guard label != nil, notes.isEmpty, let site else { return name }
    return "\(name.cut(to: Self.mostOfName)): \(site)"
  }
  /// Whether its title says where in the program it goes on.
  var showsSite: Bool { notes.isEmpty && site != nil }

  private var descent: String? {
    origin.map { origin in
      switch item.kind {
      case .closure: "after \(origin)"
      case .resumption: "goes on after \(origin)"
      case .job, .timer, .completion, .step, .sleep: "\(item.kind) after \(origin)"
      }
    }
  }
}

/// The items of a run, each named by what it is and did, or by what it comes from.
package struct RunLog: Sendable {
  package private(set) var steps: [RecordedStep] = []
  /// What the program awaits, if it has not ended.
  var waiting: [WaitingTask] = []
  /// Where they stand, by the numbers of their items.
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

  /// The last one does this.
  package mutating func note(_ text: String) {
    if !steps.isEmpty { steps[steps.count - 1].notes.append(text.printable) }
  }

  /// The last one is a job with which a task of that name goes on there.
  mutating func resume(_ task: String?, _ addresses: [CodeAddress]) {
    guard let last = steps.indices.last else { return }
    steps[last].label = task?.printable
    steps[last].addresses = addresses
  }

  /// The last one is this.
  package mutating func name(_ label: String, onlyLooks: Bool = false) {
    guard let last = steps.indices.last else { return }
    steps[last].onlyLooks = onlyLooks
    steps[last].label = label.printable
  }
}

extension String {
  /// Without what a terminal would take for a command.
  fileprivate var printable: String {
    contains { $0.isNewline || $0.isControl } ? String(map { $0.isNewline || $0.isControl ? " " : $0 }) : self
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension ReadyItem {
  /// What it is, as far as it says so itself: `timer #3`.
  package var title: String { "\(kind) #\(number)" }
}

extension [RecordedStep] {
  /// With the source locations in the program's code, which take a moment to be found.
  var located: [RecordedStep] {
    let sites = CodeSites(flatMap(\.addresses))
    return map { step in
      var step = step
      step.site = sites.first(of: step.addresses)
      return step
    }
  }

  /// What the run of these steps calls an item, whether it ran or not.
  func name(of item: ReadyItem) -> String { step(of: item)?.name ?? item.title }

  /// The names of both, as short as they can be told apart: `“load Rome” on tasks`.
  func names(of one: ReadyItem, _ other: ReadyItem) -> (String, String) {
    let names = [one, other].map(name)
    let titles = [one, other].map { step(of: $0)?.title ?? $0.title }
    let areApart = [names, titles].first { one.scheduler != other.scheduler || $0[0] != $0[1] }
    let texts = areApart ?? zip(names, [one, other]).map { "\($0) #\($1.number)" }
    return ("“\(texts[0])” on \(one.scheduler.label)", "“\(texts[1])” on \(other.scheduler.label)")
  }

  private func step(of item: ReadyItem) -> RecordedStep? { first { $0.item.identity == item.identity } }
}
