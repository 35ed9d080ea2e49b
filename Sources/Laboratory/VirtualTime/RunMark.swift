/// A fact about the running item, for a drawing of the run.
package struct RunMark: Sendable, Equatable {
  /// Something that lasts from one item to another.
  package enum Span: Sendable, Equatable {
    /// A request to a server.
    case request
    /// A subscription on a bus.
    case subscription
  }

  /// The kind of the fact.
  package enum Fact: Sendable, Equatable {
    /// A view shows this text from now on.
    case shows(_ text: String, view: String)
    /// A span starts. The number identifies it among those of its kind.
    case begins(Span, number: UInt64, name: String)
    /// A span ends, with its error or nil.
    case ends(Span, number: UInt64, error: String?)
    /// An event was posted on a bus.
    case posts(topic: String)
    /// A subscriber receives an event.
    case delivers(topic: String, subscription: UInt64)
  }

  package let fact: Fact
  /// The file that called the stage, as `#fileID` gives it, or nil if it is unknown.
  package let fileID: String?
  /// The line of that call.
  package let line: Int?

  /// - Parameters:
  ///   - fileID: the file that called the stage, as `#fileID` gives it.
  ///   - line: the line of that call.
  package init(_ fact: Fact, fileID: String? = nil, line: Int? = nil) {
    (self.fact, self.fileID, self.line) = (fact, fileID, line)
  }
}
