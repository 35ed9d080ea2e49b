package import VirtualTime

/// One move of a run that was written down: an item that ran.
package struct RecordedStep: Sendable {
  package let item: ReadyItem
  var notes: [String] = []
  /// What the program calls it, or the task that it is a job of.
  var label: String?
  /// Whether it only looked how things are, or comes from such a look and has no name of its own.
  var onlyLooks = false
  /// Whether it is not worth a row.
  package var isLook: Bool { onlyLooks && notes.isEmpty }
  /// The nearest one that has a name, of those that it comes from.
  var origin: String?
  /// How the schedule got here, where it deviates.
  var deviation: Deviations.Deviation?
  /// How many choices had been made when it began, its own included.
  var choices = 0

  /// What names it: its first note, or its label, or where it comes from, or its kind.
  var text: String { notes.first { !$0.isEmpty } ?? label ?? descent ?? "\(item.kind)" }
  /// What it is and did, or else where it comes from.
  package var name: String {
    let text = notes.joined(separator: "; ")
    guard let label else { return notes.isEmpty ? descent ?? item.title : text }
    return notes.isEmpty ? label : "\(label): \(text)"
  }

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

/// The moves of a run, each named by what it is and did, or by what it comes from.
package struct RunLog: Sendable {
  package private(set) var steps: [RecordedStep] = []
  /// Where they stand, by the numbers of their items.
  private var places: [Int: Int] = [:]

  package init() {}

  package mutating func add(_ item: ReadyItem) { add(RecordedStep(item: item)) }

  mutating func add(_ step: RecordedStep) {
    var step = step
    if let cause = step.item.cause.flatMap({ places[$0] }) {
      step.origin = steps[cause].label ?? steps[cause].notes.first ?? steps[cause].origin
      step.onlyLooks = steps[cause].onlyLooks
    }
    places[step.item.number] = steps.count
    steps.append(step)
  }

  /// The last one does this.
  package mutating func note(_ text: String) { if !steps.isEmpty { steps[steps.count - 1].notes.append(text) } }

  /// The last one is this.
  package mutating func name(_ label: String, onlyLooks: Bool = false) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].label = label
    steps[steps.count - 1].onlyLooks = onlyLooks
  }
}

extension ReadyItem {
  /// What it is, as far as it says so itself: `timer #3`.
  package var title: String { "\(kind) #\(number)" }
}

extension [RecordedStep] {
  /// What the run of these steps calls an item, whether it ran or not.
  func name(of item: ReadyItem) -> String { first { $0.item.identity == item.identity }?.name ?? item.title }
}
