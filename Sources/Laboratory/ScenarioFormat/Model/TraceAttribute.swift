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
  case topic
  case subscriber
  case text
}
