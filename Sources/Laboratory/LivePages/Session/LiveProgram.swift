import Foundation
package import ScenarioEngine
package import ScenarioFormat

/// A program that the page offers: its name, its origin and the steps that open it.
package struct LiveProgram: Sendable {
  package let name: String
  /// The name that distinguishes this entry of the page's menu.
  var id: String { variant == Scenario.fixedVariant ? name : "\(name) (\(variant))" }
  /// The name to show.
  package let title: String
  package let summary: String
  /// The base of each session: the images and responses of a scenario, without its steps.
  let scenario: Scenario
  /// The same as JSON, from which a recorded session is made.
  let json: JSONValue
  let folder: URL
  /// The variant of the program that runs.
  let variant: String
  private let programs: ProgramRegistry

  /// The time limit for each fetch. It is short, so that a stalled response soon becomes an error.
  static let deadline = Duration.seconds(5)

  /// - Parameters:
  ///   - file: a valid scenario, whose steps and expectations are ignored.
  ///   - programs: the programs and their variants.
  package init?(
    _ file: ScenarioFile, title: String, summary: String, variant: String = Scenario.fixedVariant,
    programs: ProgramRegistry = .shipped
  ) {
    guard var scenario = file.scenario, let json = JSONValue(file.source) else { return nil }
    (self.title, self.summary, self.variant, self.programs) = (title, summary, variant, programs)
    name = scenario.program
    folder = URL(filePath: file.source.path).deletingLastPathComponent()
    scenario.expectations = []
    scenario.limits.statedDeadline = Self.deadline
    scenario.steps = []
    self.json = json
    self.scenario = scenario
  }

  /// The scenario whose first step shows the first view.
  var opened: Scenario {
    var scenario = scenario
    if let view = opening["view"]?.text {
      scenario.steps = [Scenario.Step(start: .at(.zero), action: .appear(view: view))]
    }
    return scenario
  }

  /// The step that shows the program's first view.
  var opening: JSONValue {
    let views = [
      "image-fetcher": "split", "slideshow": "manage", "photorama": "photos", "soogreyhounds": "photos",
      "ios-concurrency": "users",
    ]
    return ["at": "0ms", "do": "appear", "view": .string(views[name] ?? "detail")]
  }

  var make: ProgramRegistry.Make? { programs.make(name, variant: variant) }
}
