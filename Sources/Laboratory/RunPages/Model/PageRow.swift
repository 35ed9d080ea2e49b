import PlainText
import ScenarioFormat

/// A row of the table, which shows an event of a run or an item that ran. The JSON keys are short because a page has
/// thousands of rows.
package struct PageRow: Sendable, Encodable {
  /// The row's shape in the drawing.
  package enum Shape: String, Sendable, Encodable {
    /// The user performs a step.
    case step = "u"
    /// A view is drawn.
    case draw = "d"
    /// A fetch or a request starts.
    case start = "s"
    /// A fetch or a request ends.
    case end = "e"
    /// A fetch or a request ends with an error.
    case error = "x"
    case post = "p"
    case delivery = "r"
    case subscribe = "+"
    case unsubscribe = "-"
    /// A subscriber lost an event, or its handler failed.
    case drop = "o"
    case note = "n"
    /// Any other event or item.
    case other = "i"
  }

  /// The state of a view after this row.
  package struct View: Sendable, Encodable {
    /// The view's index among the run's views.
    let index: Int
    let shown: String
    let detail: String
    let isVisible: Bool

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(index)
      try container.encode(shown)
      try container.encode(detail)
      try container.encode(isVisible ? 1 : 0)
    }
  }

  /// A line in a file, counted from one.
  package struct Source: Sendable, Encodable {
    package let file: Int
    package let line: Int

    package init(file: Int, line: Int) { (self.file, self.line) = (file, line) }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(file)
      try container.encode(line)
    }
  }

  package let time: Duration
  package let lane: PageLane
  package var shape: Shape
  package internal(set) var text: String
  /// The index of the event's or item's kind among the run's kinds.
  package var kind = 0
  /// The row's subject, such as an image, which determines the row's color.
  package var subject: String?
  /// The event's number in terminal output, if it has one.
  package var number: Int?
  /// The lane in which the event originated, if it differs from the row's lane.
  package var origin: PageLane?
  /// The failure shown in this row.
  package var failure: String?
  /// The items that this row's item overtook, if it deviated from first in, first out.
  package var deviation: String?
  /// Whether the row is a post that reached no subscriber.
  package var isOpen = false
  package var views: [View] = []
  /// The items that were ready, as indices into the run's names. The first item is the one that ran.
  package var ready: [Int] = []
  package var source: Source?

  package init(_ time: Duration, _ lane: PageLane, _ shape: Shape, _ text: String) {
    (self.time, self.lane, self.shape) = (time, lane, shape)
    self.text = text.withVisibleControls
  }

  private enum CodingKeys: String, CodingKey {
    case time = "t"
    case lane = "l"
    case shape = "h"
    case text = "s"
    case kind = "k"
    case subject = "i"
    case number = "e"
    case origin = "o"
    case failure = "x"
    case deviation = "d"
    case isOpen = "q"
    case views = "w"
    case ready = "y"
    case source = "f"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    // Times are encoded as whole microseconds, because a fraction would take 17 digits.
    try container.encode(Int(time / .microseconds(1)), forKey: .time)
    try container.encode(lane.rawValue, forKey: .lane)
    try container.encode(shape, forKey: .shape)
    try container.encode(text, forKey: .text)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(subject, forKey: .subject)
    try container.encodeIfPresent(number, forKey: .number)
    try container.encodeIfPresent(origin?.rawValue, forKey: .origin)
    try container.encodeIfPresent(failure, forKey: .failure)
    try container.encodeIfPresent(deviation, forKey: .deviation)
    if isOpen { try container.encode(1, forKey: .isOpen) }
    if !views.isEmpty { try container.encode(views, forKey: .views) }
    if !ready.isEmpty { try container.encode(ready, forKey: .ready) }
    try container.encodeIfPresent(source, forKey: .source)
  }
}

/// A span from one row to another.
package struct PageBar: Sendable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case subscription = "s"
    case request = "r"
    case fetch = "f"
    /// A worker thread that is blocked by a request.
    case blocked = "b"
  }

  /// How a bar ends.
  package enum End: String, Sendable, Encodable {
    case success = "o"
    case error = "x"
    case cancelled = "c"
    /// The bar extends to the end of the run.
    case none = "n"
  }

  package let kind: Kind
  package let lane: PageLane
  package let label: String
  package var subject: String?
  package let start: Int
  package var end: Int?
  package var result = End.none

  package init(_ kind: Kind, _ lane: PageLane, _ label: String, subject: String?, start: Int) {
    (self.kind, self.lane, self.subject, self.start) = (kind, lane, subject, start)
    self.label = label.withVisibleControls
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(kind)
    try container.encode(lane.rawValue)
    try container.encode(label)
    try container.encode(subject)
    try container.encode(start)
    try container.encode(end ?? -1)
    try container.encode(result)
  }
}

/// An arrow from one row to a later one: from a post to its delivery, or from an item to an item that it scheduled.
package struct PageArrow: Sendable, Encodable {
  package let start: Int
  package let end: Int
  /// The index of the subscription bar that the arrow points to.
  package var bar: Int?

  package init(_ start: Int, _ end: Int, bar: Int? = nil) { (self.start, self.end, self.bar) = (start, end, bar) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(start)
    try container.encode(end)
    try container.encode(bar ?? -1)
  }
}

extension String {
  /// The text on one line, without credentials. Control characters are made visible, because a page would hide them.
  var withVisibleControls: String { visible(utf8.contains(UInt8(ascii: "\n")) ? replacing("\n", with: " ") : self) }
}
