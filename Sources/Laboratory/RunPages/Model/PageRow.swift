import ScenarioFormat

/// One row of the table: an event of a run, or an item that ran. Its keys in JSON are short, because there are
/// thousands of rows.
package struct PageRow: Sendable, Encodable {
  /// The shape in the drawing.
  package enum Shape: String, Sendable, Encodable {
    /// A step of the user.
    case step = "u"
    /// A view draws itself.
    case draw = "d"
    /// A fetch or a request starts.
    case start = "s"
    /// A fetch or a request ends.
    case end = "e"
    /// The end of a fetch or a request with an error.
    case error = "x"
    case post = "p"
    case delivery = "r"
    case subscribe = "+"
    case unsubscribe = "-"
    /// A subscriber lost an event, or its handler failed.
    case drop = "o"
    case note = "n"
    /// Anything else.
    case other = "i"
  }

  /// A view after this row.
  package struct View: Sendable, Encodable {
    /// Its index in the views of the run.
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

  /// A line of a file, from 1.
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
  package let text: String
  /// The index of the kind of the event or item.
  package var kind = 0
  /// The subject, such as an image, which gives the row its color.
  package var subject: String?
  /// The number of the event in the terminal, if it has one.
  package var number: Int?
  /// The lane that the row comes from, if it differs.
  package var origin: PageLane?
  /// The failure that the row shows.
  package var failure: String?
  /// What the row overtook, if it deviates from first in, first out.
  package var deviation: String?
  /// Whether it is a post without a subscriber.
  package var isOpen = false
  package var views: [View] = []
  /// The items that were ready, as indices of names; the first is the one that ran.
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
    // Microseconds as whole numbers, because a fraction would print 17 digits.
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

/// Something that lasts from one row to another.
package struct PageBar: Sendable, Encodable {
  package enum Kind: String, Sendable, Encodable {
    case subscription = "s"
    case request = "r"
    case fetch = "f"
    /// A worker that waits for a request.
    case blocked = "b"
  }

  /// The end of a bar.
  package enum End: String, Sendable, Encodable {
    case success = "o"
    case error = "x"
    case cancelled = "c"
    /// It lasts until the end of the run.
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

/// An arrow from a row to a later one: from a post to a delivery, or from an item to one that it scheduled.
package struct PageArrow: Sendable, Encodable {
  package let start: Int
  package let end: Int
  /// The subscription that the arrow reaches, as an index of the bars.
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
  /// On one line, without credentials, and without control characters, which a page would hide.
  var withVisibleControls: String { visible(replacing("\n", with: " ")) }
}
