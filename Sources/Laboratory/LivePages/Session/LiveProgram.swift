import Foundation
import ScenarioEngine
package import ScenarioFormat

/// A program that the page offers: its name, its origin and the steps that open it.
package struct LiveProgram: Sendable {
  package var name: String { scenario.program }
  /// The name that distinguishes this entry of the page's menu.
  var id: String { variant == Scenario.fixedVariant ? name : "\(name) (\(variant))" }
  /// The name to show.
  package let title: String
  package let summary: String
  /// The base of each session: the images and responses of a scenario, with one step, which shows the first view.
  let scenario: Scenario
  /// The same as JSON, from which a recorded session is made.
  let json: JSONValue
  let folder: URL
  /// The variant of the program that runs.
  let variant: String

  /// The time limit for each fetch. It is short, so that a stalled response soon becomes an error.
  static let deadline = Duration.seconds(5)

  /// - Parameter file: a valid scenario, whose steps and expectations are ignored.
  package init?(_ file: ScenarioFile, title: String, summary: String, variant: String = Scenario.fixedVariant) {
    guard var scenario = file.scenario, let json = JSONValue(file.source) else { return nil }
    (self.title, self.summary, self.variant) = (title, summary, variant)
    folder = URL(filePath: file.source.path).deletingLastPathComponent()
    scenario.expectations = []
    scenario.limits.statedDeadline = Self.deadline
    scenario.steps = [Scenario.Step(start: .at(.zero), action: .appear(view: Self.firstView(of: scenario.program)))]
    self.json = json
    self.scenario = scenario
  }

  private static func firstView(of program: String) -> String {
    switch program {
    case "image-fetcher": "split"
    case "slideshow": "manage"
    case "photorama", "soogreyhounds": "photos"
    case "ios-concurrency": "users"
    default: "detail"
    }
  }

  /// The step that shows the first view.
  var opening: JSONValue { ["at": "0ms", "do": "appear", "view": .string(Self.firstView(of: name))] }

  var make: ProgramRegistry.Make? { ProgramRegistry.shipped.make(name, variant: variant) }
}
