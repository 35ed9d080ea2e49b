import Foundation
import ScenarioEngine

/// The files that a command writes its results to, beside what it prints.
struct ResultFiles: Sendable {
  private let arguments: ParsedArguments
  private let context: CommandContext

  init(_ arguments: ParsedArguments, _ context: CommandContext) {
    self.arguments = arguments
    self.context = context
  }

  /// Writes a file, if the flag asks for it. A failure costs this file alone, not the results.
  ///
  /// - Returns: false if it could not be written.
  func write(_ flag: String, _ text: () throws -> String) throws -> Bool {
    guard let path = arguments[flag] else { return true }
    let text = try text()
    do {
      try FileWriter.shared.replace(Data(text.utf8), at: path)
      return true
    } catch {
      let reason = FileFailure.reason(error, writing: path)
      context.notes.complain("\(flag): cannot write \(path): \(reason)")
      return false
    }
  }
}
