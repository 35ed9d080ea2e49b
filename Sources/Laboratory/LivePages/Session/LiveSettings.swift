package import Foundation
package import ScenarioFormat

/// The inputs of the page.
package struct LiveSettings: Sendable {
  package typealias Save = @Sendable (Data, _ name: String) throws -> String

  /// The programs, of which the first one starts.
  let programs: [LiveProgram]
  let strategies: [String]
  /// The strategy with which a session starts.
  let strategy: String
  /// The valid scenario files that the page can play.
  let scenarios: [ScenarioFile]
  /// Saves a recorded session, and returns the path to show. Nil if the page offers a download. The page shows the
  /// description of an error.
  let save: Save?
  /// An empty folder for files that the tools exchange. The command removes it.
  let folder: URL
  /// Uses a tool, or nil if the page has no tools.
  let useTool: UseLiveTool?

  package init(
    programs: [LiveProgram], strategies: [String], strategy: String, scenarios: [ScenarioFile] = [],
    save: Save? = nil, folder: URL, useTool: UseLiveTool? = nil
  ) {
    (self.programs, self.strategies, self.strategy) = (programs, strategies, strategy)
    (self.scenarios, self.save, self.folder, self.useTool) = (scenarios, save, folder, useTool)
  }
}
