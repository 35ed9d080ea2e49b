import PlainText
package import VirtualTime

/// One recorded item of a run.
package struct RecordedStep: Sendable {
  package let item: ReadyItem
  package internal(set) var notes: [String] = []
  /// The facts that the program reported about the item. A page can use them to draw the run.
  package internal(set) var marks: [RunMark] = []
  /// The item's name in the program, or the name of its job's task.
  var label: String?
  /// Whether the item only reads state. An unnamed item inherits the value from the item that caused it.
  var onlyLooks = false
  /// Whether the item has no row in the report.
  package var isLook: Bool { onlyLooks && notes.isEmpty }
  /// For a job of a task, the addresses where the task resumed, innermost first, followed by those where it was
  /// created.
  var addresses: [CodeAddress] = []
  /// For a job of a task without a name, the addresses where the task was created.
  var origins: [CodeAddress] = []
  /// Where that is, as in `select(_:):12`, or nil if it is unknown.
  var start: String?
  /// The source location of the first address that is in the program's code, or nil if there is none.
  package internal(set) var site: String?
  /// The file and the line of that location.
  package internal(set) var line: SourceLine?
  /// The nearest cause that has a name.
  var origin: String?
  /// The choice that led to this item, if that choice is a deviation.
  package internal(set) var deviation: Deviations.Deviation?
  /// The number of choices up to and including the one that led to this item.
  var choices = 0

  /// The maximum length of a name. A longer name would leave no room for the source location.
  private static let maximumOfName = 40

  /// The text of the item's name: its first note, or else its label, its cause or its kind.
  var text: String { notes.first { !$0.isEmpty } ?? label ?? descent ?? "\(item.kind)" }
  /// The item's kind and notes, or else its location or its cause.
  package var name: String {
    let text = notes.joined(separator: "; ")
    if let label = fullLabel { return notes.isEmpty ? label : "\(label): \(text)" }
    return notes.isEmpty ? site.map { "\(item.kind): \($0)" } ?? descent ?? item.title : text
  }
  /// The item's name, and its location if it has no notes.
  var title: String {
    guard label != nil, notes.isEmpty, let site else { return name }
    return "\(name.cut(to: Self.maximumOfName)): \(site)"
  }
  /// The label. The number of a task without a name is followed by where the task was created: `task 2 of load():12`.
  private var fullLabel: String? {
    guard let label, let start else { return label }
    let words = label.split(separator: " ", maxSplits: 2).map(String.init)
    return (words.prefix(2) + ["of \(start)"] + words.dropFirst(2)).joined(separator: " ")
  }
  /// Whether the item's title contains its location in the program.
  var showsSite: Bool { notes.isEmpty && site != nil }

  /// The note that was the latest when the item had made this number of notes.
  fileprivate func latestNote(of count: Int) -> String? {
    notes.isEmpty ? nil : notes[min(max(count - 1, 0), notes.count - 1)]
  }

  private var descent: String? {
    origin.map { origin in
      switch item.kind {
      case .closure: "after \(origin)"
      case .resumption: "resumes after \(origin)"
      case .job, .timer, .completion, .step, .sleep, .settling: "\(item.kind) after \(origin)"
      }
    }
  }
}

/// The items of a run. Each is named after its kind and notes, or after its cause.
package struct RunLog: Sendable {
  package private(set) var steps: [RecordedStep] = []
  /// The unfinished work that the program awaits, if the program has not ended.
  var waiting: [WaitingTask] = []
  /// The index of each item, keyed by its number.
  private var positions: [Int: Int] = [:]
  /// The callers that scheduled items, in order, if the recorder records them.
  private var callers: [Origin: [[CodeAddress]]] = [:]

  /// What the items have in common that one item schedules on one scheduler.
  private struct Origin: Hashable {
    let cause: Int?
    let scheduler: SchedulerID
    let isDelayed: Bool

    init(_ item: ReadyItem) { self.init(item.cause, item.scheduler, isDelayed: item.due != nil) }

    init(_ cause: Int?, _ scheduler: SchedulerID, isDelayed: Bool) {
      (self.cause, self.scheduler, self.isDelayed) = (cause, scheduler, isDelayed)
    }
  }

  package init() {}

  /// Records the caller of the running item's action if the action schedules an item.
  mutating func recordCaller(of touch: Touch) {
    let origin: Origin
    switch touch {
    case .post(let scheduler): origin = Origin(steps.last?.item.number, scheduler, isDelayed: false)
    case .delay(_, let scheduler): origin = Origin(steps.last?.item.number, scheduler, isDelayed: true)
    default: return
    }
    callers[origin, default: []].append(CallStack.addresses(most: Self.maximumFrames))
  }

  /// The addresses of the call that scheduled the item, innermost first. Empty if they are unknown, also if an item did
  /// not run that the same item had scheduled.
  func caller(of item: ReadyItem) -> [CodeAddress] {
    let origin = Origin(item)
    let items = steps.map(\.item).filter { Origin($0) == origin }.sorted { $0.number < $1.number }
    guard let callers = callers[origin], callers.count == items.count,
      let index = items.firstIndex(where: { $0.identity == item.identity })
    else { return [] }
    return callers[index]
  }

  private static let maximumFrames = 24

  package mutating func add(_ item: ReadyItem) { add(RecordedStep(item: item)) }

  mutating func add(_ step: RecordedStep) {
    var step = step
    if let cause = step.item.cause.flatMap({ positions[$0] }) {
      step.origin = steps[cause].label ?? steps[cause].latestNote(of: step.item.notesOfCause) ?? steps[cause].origin
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

  /// Records that the last item is a job of the given task, at the given location.
  mutating func resume(_ task: String?, _ addresses: [CodeAddress], origins: [CodeAddress] = []) {
    guard let last = steps.indices.last else { return }
    steps[last].label = task?.printable
    steps[last].addresses = addresses
    steps[last].origins = origins
  }

  /// Names the last item.
  package mutating func name(_ label: String, onlyLooks: Bool = false) {
    guard let last = steps.indices.last else { return }
    steps[last].onlyLooks = onlyLooks
    steps[last].label = label.printable
  }
}

extension String {
  /// A location such as `load() Cart.swift:12` without its file: `load():12`. Without a line, it is `load()`.
  fileprivate var withoutFile: String {
    if hasSuffix(".swift"), let space = lastIndex(of: " ") { return String(self[..<space]) }
    guard let space = lastIndex(of: " "), let colon = lastIndex(of: ":"), space < colon else { return self }
    return String(self[..<space] + self[colon...])
  }

  /// The text without characters that a terminal would interpret.
  fileprivate var printable: String {
    // Most names are in ASCII. The classes of their characters would take a tenth of a recorded run.
    if utf8.allSatisfy({ 0x20 <= $0 && $0 < 0x7F }) { return self }
    return contains { $0.isNewline || $0.isControl } ? String(map { $0.isNewline || $0.isControl ? " " : $0 }) : self
  }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension ReadyItem {
  /// The item's own description, such as `timer #3`.
  package var title: String { "\(kind) #\(number)" }
}

extension [ReadyItem] {
  /// Returns the names of items among which one can choose. Items with the same name on one scheduler get their numbers.
  package func distinctNames(_ name: (ReadyItem) -> String) -> [String] {
    let names = map(name)
    return indices.map { index in
      let isUnique = indices.count { names[$0] == names[index] && self[$0].scheduler == self[index].scheduler } == 1
      return isUnique ? names[index] : "\(names[index]) #\(self[index].number)"
    }
  }
}

extension [RecordedStep] {
  /// The steps with their source locations in the program's code. Looking these up takes a moment.
  var located: [RecordedStep] {
    let sites = CodeSites(flatMap { $0.addresses + $0.origins })
    return map { step in
      var step = step
      step.site = sites.first(of: step.addresses)
      step.line = sites.firstLine(of: step.addresses)
      // Where the task starts, its location says the same.
      if let start = sites.first(of: step.origins), start != step.site { step.start = start.withoutFile }
      return step
    }
  }

  /// Returns the item's name in this run, or its kind and number if it did not run.
  func name(of item: ReadyItem) -> String { step(of: item)?.name ?? item.title }

  /// The names of two items, as short as possible while they still differ: `“load Rome” on tasks`.
  ///
  /// - Parameter numbered: whether an item gets its number in the table if another item has the same name.
  func names(of one: ReadyItem, _ other: ReadyItem, numbered: Bool = false) -> (String, String) {
    let names = [one, other].map(name)
    let titles = [one, other].map { step(of: $0)?.title ?? $0.title }
    let areApart = [names, titles].first { one.scheduler != other.scheduler || $0[0] != $0[1] }
    let texts = areApart ?? zip(names, [one, other]).map { "\($0) #\($1.number)" }
    let numbers = [one, other].map { item -> String in
      guard numbered, let index = firstIndex(where: { $0.item.identity == item.identity }),
        count(where: { $0.name == self[index].name && $0.item.scheduler == item.scheduler }) > 1
      else { return "" }
      return " (item \(index + 1))"
    }
    return (
      "“\(texts[0])”\(numbers[0]) on \(one.scheduler.label)", "“\(texts[1])”\(numbers[1]) on \(other.scheduler.label)"
    )
  }

  func step(of item: ReadyItem) -> RecordedStep? { first { $0.item.identity == item.identity } }
}
