extension Collection<Double> {
  /// The middle value, or the mean of the two in the middle; nil for none.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let values = sorted()
    return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
  }
}
