package import Foundation

/// A tool that uses a recorded session. It runs in a child process, so that the session continues meanwhile.
package enum LiveTool: String, Sendable {
  /// Runs the scenario with each strategy on the virtual clock.
  case everyStrategy
  /// Searches for an order of events in which the scenario fails.
  case search
}

/// Uses a tool on a scenario file. The tool may write a page. The live page shows the description of an error.
package typealias UseLiveTool = @Sendable (LiveTool, _ file: URL, _ page: URL) async throws -> LiveToolResult

/// The result of a tool: whether no run failed, the conclusions, such as what an order shows that fails, and the position
/// at which to open the page that the tool has written, or nil for its start.
package typealias LiveToolResult = (ok: Bool, sentences: [String], position: String?)
