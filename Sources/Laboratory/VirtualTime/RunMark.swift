/// A fact about the running item. A page can use such facts to draw the run.
package struct RunMark: Sendable, Equatable {
  /// A span of time that begins in one item and ends in another.
  package enum Span: Sendable, Equatable {
    /// A request to a server.
    case request
    /// A subscription on a bus.
    case subscription
  }

  /// The kind of the fact.
  package enum Fact: Sendable, Equatable {
    /// A view starts to show this text.
    case shows(_ text: String, view: String)
    /// A span starts. The number identifies it among spans of the same kind.
    case begins(Span, number: UInt64, name: String)
    /// A span ends, with its error, or nil if it succeeded.
    case ends(Span, number: UInt64, error: String?)
    /// An event was posted on a bus.
    case posts(topic: String)
    /// A subscriber receives an event.
    case delivers(topic: String, subscription: UInt64)
  }

  package let fact: Fact
  /// The `#fileID` of the call that reported the fact, or nil if unknown.
  package let fileID: String?
  /// The line of the call.
  package let line: Int?

  /// - Parameters:
  ///   - fileID: the `#fileID` of the call that reported the fact.
  ///   - line: the line of the call.
  package init(_ fact: Fact, fileID: String? = nil, line: Int? = nil) {
    (self.fact, self.fileID, self.line) = (fact, fileID, line)
  }
}
