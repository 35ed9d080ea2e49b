extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { self / .seconds(1) }

  /// The duration in whole milliseconds, rounded down.
  package var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
