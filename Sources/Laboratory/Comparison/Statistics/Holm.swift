/// Corrects p-values for the number of comparisons that were made (Holm's step-down procedure).
package enum Holm {
  /// The adjusted p-values, in the order of the given ones.
  package static func adjusted(_ values: [Double]) -> [Double] {
    var result = values
    var largest = 0.0
    for (position, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
      largest = max(largest, min(1, values[index] * Double(values.count - position)))
      result[index] = largest
    }
    return result
  }
}
