import Foundation
import ScenarioFormat

/// Outcomes in the XML that build servers read.
package struct JUnitReport: Sendable {
  let outcomes: [ScenarioOutcome]

  package init(outcomes: [ScenarioOutcome]) { self.outcomes = outcomes }

  /// The whole document.
  package var text: String {
    let failed = outcomes.count { !$0.ok }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<testsuite name=\"fetcher run\" tests=\"\(outcomes.count)\" failures=\"\(failed)\">",
    ]
    for outcome in outcomes {
      let name = "\(outcome.strategy), \(outcome.variant), \(outcome.clock) clock"
      let head =
        "  <testcase classname=\"\(Self.escaped(outcome.scenario))\" name=\"\(Self.escaped(name))\""
        + " time=\"\(outcome.seconds.fixed(3))\""
      lines.append(head + (outcome.ok ? "/>" : ">"))
      for failure in outcome.failures {
        let place = "\(outcome.file):\(failure.line):\(failure.column)"
        let text = "\(place): \(failure.message)" + (failure.why.map { "\n\($0)" } ?? "")
        lines.append("    <failure message=\"\(Self.escaped(failure.expectation))\">\(Self.escaped(text))</failure>")
      }
      if !outcome.ok { lines.append("  </testcase>") }
    }
    return (lines + ["</testsuite>", ""]).joined(separator: "\n")
  }

  /// The text without what XML would misread or forbids.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML forbids these two beside the control characters.
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
