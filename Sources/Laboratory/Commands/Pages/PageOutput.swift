import CommandLineTool
import Foundation
import PlainText
import RunPages
import ScenarioEngine
import ScenarioFormat

/// Writes pages that play back a run, and prints the link that a reader should open first.
struct PageOutput: Sendable {
  static let option = CommandOption("--html", "FILE", "also write a page that plays back the run")

  /// The path given on the command line.
  let path: String
  let context: CommandContext
  /// Whether another program may read the standard output. In that case, the links are printed as notes.
  var isQuiet = false
  /// The line that shows when a page is written, if the command has one.
  var progress: ProgressLine?

  /// - Throws: a failure with code 4, before the first run, if the page could not be written.
  init?(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) {
    guard let path = arguments[Self.option] else { return nil }
    (self.path, self.context) = (Self.page(path), context)
    try ResultFiles.validate(page: self.path)
  }

  /// Returns the path of a page. Adds an extension to a new name that has none, because a browser shows the text of a
  /// file without an extension.
  private static func page(_ path: String) -> String {
    let isPlain = URL(filePath: path).pathExtension.isEmpty && !path.hasSuffix("/")
    return isPlain && !FileManager.default.fileExists(atPath: path) ? path + ".html" : path
  }

  /// - Parameter folder: the folder for several pages. A missing folder is created.
  /// - Throws: a failure with code 4 if the folder cannot be created.
  init(folder path: String, _ context: CommandContext) throws(CommandFailure) {
    // A browser opens the index in the folder, so a folder does not have the name of a page.
    let path = path.hasSuffix(".html") && !ScenarioPaths.isFolder(path) ? String(path.dropLast(5)) : path
    (self.path, self.context) = (path, context)
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw .cannotStart("--html: cannot create the folder \(path): \(FileFailure.reason(error, writing: path))")
    }
  }

  /// Writes the page and prints the link to open.
  ///
  /// - Returns: false if the page could not be written. In that case, this method has printed the reason.
  func write(_ page: RunPage) -> Bool {
    progress?.show("writing the page")
    guard write(RunPageWriter.html(page), to: path) else { return false }
    say("page: \(visible(path))#\(page.startPosition)")
    return true
  }

  /// Writes a file.
  ///
  /// - Returns: false if the file could not be written. In that case, this method has printed the reason.
  func write(_ html: Data, to path: String) -> Bool {
    do {
      try FileWriter.shared.replace(html, at: path)
      return true
    } catch {
      progress?.clear()
      context.notes.complain("--html: cannot write \(path): \(FileFailure.reason(error, writing: path))")
      return false
    }
  }

  func say(_ line: String) {
    progress?.clear()
    (isQuiet ? context.notes : context.output).line(line)
  }
}
