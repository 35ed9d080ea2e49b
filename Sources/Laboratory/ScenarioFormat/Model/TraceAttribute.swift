/// An attribute of an event, beside its kind, its time and its number.
package enum TraceAttribute: String, Sendable, CaseIterable {
  /// The id of an image of the scenario.
  case image
  case view
  case lane
  case strategy
  /// What a view shows: the id of an image, `placeholder`, `nothing`, or `unknown` for a picture that no answer has.
  case shown
  /// Header fields that some pattern of the scenario asks for, one a line, each as `name: value` with a small name.
  case header
  /// An HTTP status.
  case status
  /// The category of an error, such as `truncated`.
  case error
  /// The path of a request.
  case path
  /// What an event of the bus is about: the topic of a step, or the name of an event of the model, such as `ImageFetched`.
  case topic
  /// The name of a subscriber; of a post those who were subscribed, one a line, or `none`.
  case subscriber
  case text

  /// Whether an event has a list, one a line, of which a pattern names one.
  package var isList: Bool { self == .header || self == .subscriber }
}
