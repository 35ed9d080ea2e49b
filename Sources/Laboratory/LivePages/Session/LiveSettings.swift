package import Foundation
package import ScenarioFormat

/// The inputs of the page.
package struct LiveSettings: Sendable {
  /// The programs, of which the first one starts.
  let programs: [LiveProgram]
  let strategies: [String]
  /// The strategy with which a session starts.
  let strategy: String
  /// The valid scenario files that the page can play.
  let scenarios: [ScenarioFile]
  /// The folder in which recorded sessions are saved, or nil if the page offers a download.
  let saveFolder: URL?
  /// An empty folder for files that the tools exchange. The command removes it.
  let folder: URL
  /// The tools that run in child processes, or nil if there are none.
  let tools: LiveTools?

  package init(
    programs: [LiveProgram], strategies: [String], strategy: String, scenarios: [ScenarioFile] = [],
    saveFolder: URL? = nil, folder: URL, tools: LiveTools? = nil
  ) {
    (self.programs, self.strategies, self.strategy) = (programs, strategies, strategy)
    (self.scenarios, self.saveFolder, self.folder, self.tools) = (scenarios, saveFolder, folder, tools)
  }
}

/// The tools that use a recorded session. Each runs in a child process, so that the session continues meanwhile.
package struct LiveTools: Sendable {
  /// The result of a tool.
  package struct Result: Sendable {
    package let ok: Bool
    /// The conclusions, such as what an order shows that fails.
    package let sentences: [String]
    /// The position at which to open the page that the tool has written, or nil for its start.
    package let position: String?

    package init(ok: Bool, sentences: [String] = [], position: String? = nil) {
      (self.ok, self.sentences, self.position) = (ok, sentences, position)
    }
  }

  /// A tool has ended without a result, for example because it crashed.
  package struct NoResult: Error, CustomStringConvertible {
    private let output: String

    package init(output: String) { self.output = output }

    package var description: String { output.isEmpty ? "The process printed nothing." : output }
  }

  /// Uses a scenario file, and may write a page.
  package typealias Run = @Sendable (_ file: URL, _ page: URL) async throws -> Result

  /// Runs the scenario with each strategy on the virtual clock.
  let runAll: Run
  /// Searches for an order of events in which the scenario fails.
  let search: Run

  package init(runAll: @escaping Run, search: @escaping Run) { (self.runAll, self.search) = (runAll, search) }
}
