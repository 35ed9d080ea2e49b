/// A problem in a file, as JSON.
package struct ReportedProblem: Sendable, Encodable {
  package let code: String
  package let line: Int
  package let column: Int
  package let message: String
  package let advice: String?

  init(_ diagnostic: Diagnostic, in source: SourceText) {
    let position = source.position(of: diagnostic.range.lowerBound)
    (code, message, advice) = (diagnostic.code.rawValue, diagnostic.message, diagnostic.advice)
    (line, column) = (position.line, position.column)
  }
}

extension ScenarioFile {
  /// The first problems of the file, up to the number that is reported.
  package var problems: [ReportedProblem] {
    diagnostics.prefix(Diagnostics.most).map { ReportedProblem($0, in: source) }
  }
}

extension DecodedSteps {
  /// The first problems of the steps, up to the number that is reported.
  package var problems: [ReportedProblem] {
    diagnostics.prefix(Diagnostics.most).map { ReportedProblem($0, in: source) }
  }
}
