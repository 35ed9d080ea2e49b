/// What a bus needs to know of its channels, whatever their events are.
protocol AnyChannel: AnyObject, Sendable {
  /// Stands for the channel in a ``Frame``.
  var number: UInt64 { get }

  /// Ends the streams: nothing will be posted any more.
  func close()
}
