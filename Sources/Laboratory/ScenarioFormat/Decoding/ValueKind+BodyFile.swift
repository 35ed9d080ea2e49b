/// Why a file that a scenario names cannot be served.
package struct FileProblem: Sendable, Equatable {
  package let message: String
  /// What to do about it, in a few words.
  package let advice: String

  package init(message: String, advice: String) {
    self.message = message
    self.advice = advice
  }
}

extension ValueKind where Value == String {
  /// The name of a file in the scenario's folder or below it. Whether it exists is for the caller of the decoder to say.
  static var bodyFile: ValueKind {
    text(like: "[^/.][^/]*(/[^/.][^/]*)*", "name of a file beside the scenario", example: "big.png")
      .validated { name, node, reading in
        if reading.isFull { return nil }
        return reading.problem(ofFile: name).map { Diagnostic(.wrongValue, $0.message, at: node.range, $0.advice) }
      }
  }
}
