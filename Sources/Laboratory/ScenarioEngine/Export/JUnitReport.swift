import Foundation
import PlainText
import ScenarioFormat

/// A report in JUnit's XML format, which build servers can read.
package struct JUnitReport: Sendable {
  /// The result of one test case.
  package struct TestCase: Sendable {
    /// A failure.
    package struct Failure: Sendable {
      let title: String
      let text: String

      package init(title: String, text: String) {
        self.title = title
        self.text = text
      }
    }

    let group: String
    let name: String
    let seconds: Double
    let failures: [Failure]

    package init(group: String, name: String, seconds: Double, failures: [Failure]) {
      self.group = group
      self.name = name
      self.seconds = seconds
      self.failures = failures
    }
  }

  private let suite: String
  private let cases: [TestCase]

  /// - Parameter suite: the command that produced the results.
  package init(suite: String, cases: [TestCase]) {
    self.suite = suite
    self.cases = cases
  }

  package init(outcomes: [ScenarioOutcome]) {
    self.init(
      suite: "fetcher run",
      cases: outcomes.map { outcome in
        TestCase(
          group: outcome.scenario, name: "\(outcome.strategy), \(outcome.variant), \(outcome.clock) clock",
          seconds: outcome.seconds,
          failures: outcome.failures.map { failure in
            let location = "\(outcome.file):\(failure.line):\(failure.column)"
            return TestCase.Failure(
              title: failure.expectation,
              text: "\(location): \(failure.message)" + (failure.why.map { "\n\($0)" } ?? ""))
          })
      })
  }

  /// The complete document.
  package var text: String {
    let failed = cases.count { !$0.failures.isEmpty }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"\(suite)\" tests=\"\(cases.count)\" failures=\"\(failed)\">",
    ]
    for test in cases {
      let head =
        "  <testcase classname=\"\(test.group.escapedForXML)\" name=\"\(test.name.escapedForXML)\""
        + " time=\"\(test.seconds.fixed(3))\""
      lines.append(head + (test.failures.isEmpty ? "/>" : ">"))
      for failure in test.failures {
        lines.append(
          "    <failure message=\"\(failure.title.escapedForXML)\">\(failure.text.escapedForXML)</failure>")
      }
      if !test.failures.isEmpty { lines.append("  </testcase>") }
    }
    return (lines + ["</testsuite>", ""]).joined(separator: "\n")
  }
}
