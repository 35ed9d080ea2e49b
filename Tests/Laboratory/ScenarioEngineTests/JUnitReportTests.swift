import Foundation
import Testing

@testable import ScenarioEngine
@testable import ScenarioFormat

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct JUnitReportTests {
  @Test(
    "The JUnit report is well-formed XML for any text in a scenario",
    arguments: ["<&\">]]>", "\u{1B}[31m\u{0}\r\u{8}", "\u{FFFE}\u{FFFF}", "\u{85}\u{9F}", "two\nlines\tü 🐕"])
  func wellFormed(_ text: String) throws {
    let failure = ScenarioOutcome.Failure(
      expectation: text, line: 1, column: 2, message: text, why: text, step: nil)
    let outcome = ScenarioOutcome(
      scenario: text, file: text, strategy: "async", variant: "fixed", clock: "virtual", ok: false,
      failures: [failure], events: 1, seconds: 1)
    let report = JUnitReport(outcomes: [outcome]).text
    let parser = XMLParser(data: Data(report.utf8))
    #expect(parser.parse(), "\(report)")
  }
}
