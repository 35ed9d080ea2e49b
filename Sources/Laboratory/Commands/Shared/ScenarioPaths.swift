import BrokenLessons
import CommandLineTool
import Foundation
import Lessons
import ScenarioEngine
import ScenarioFormat

/// Finds the scenario files named on the command line.
enum ScenarioPaths {
  /// The name of the schema file, which is not a scenario.
  static let schemaName = "scenario.schema.json"

  /// Reads and decodes the scenario at `path`.
  ///
  /// - Throws: a failure with code 4 if the file cannot be read, and with code 3 if it is a Markdown page.
  static func read(_ path: String) throws(CommandFailure) -> ScenarioFile {
    if path.lowercased().hasSuffix(".md"), isFile(path) {
      throw CommandFailure(
        code: .invalidScenario,
        message: "\(path): a Markdown page is not a scenario; pass a .json file, or a folder to run all scenarios in it"
      )
    }
    do throws(UnreadableFile) {
      return try ScenarioFile(path: path, vocabulary: vocabulary)
    } catch {
      throw .cannotStart(error.message)
    }
  }

  /// Reads all files that ``expand(_:)`` returns.
  static func readAll(_ words: [String]) throws(CommandFailure) -> [ScenarioFile] {
    try expand(words).map { (path) throws(CommandFailure) in try read(path) }
  }

  /// Reports the problems in the files before a run.
  ///
  /// - Throws: a failure with code 3 if a file is invalid.
  static func validate(_ files: [ScenarioFile], _ notes: Output) throws(CommandFailure) {
    for file in files { file.complain(to: notes) }
    let invalid = files.count { $0.scenario == nil }
    guard invalid > 0 else { return }
    if files.count > 1 {
      notes.line("nothing was run: \(invalid) of \(files.count) files \(invalid == 1 ? "is" : "are") invalid")
    }
    throw CommandFailure(code: .invalidScenario, message: nil)
  }

  /// Validates, before a run, the paths of the files that the command will write.
  ///
  /// - Throws: a usage error if a report would overwrite a scenario or another report.
  static func validate(
    _ options: [CommandOption], of arguments: ParsedArguments, writtenBeside files: [ScenarioFile]
  ) throws(UsageError) {
    var owners: [String: CommandOption] = [:]
    for option in options {
      guard let path = arguments[option] else { continue }
      guard !files.contains(where: { location($0.source.path) == location(path) }) else {
        throw UsageError("\(option.name) would overwrite the scenario \(path); choose another file")
      }
      if let other = owners.updateValue(option, forKey: location(path)) {
        throw UsageError(
          "\(other.name) and \(option.name) would write the same file \(path); choose another file for one of them")
      }
    }
  }

  /// Returns the location of a file, regardless of how its path is spelled.
  private static func location(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  /// The vocabulary of scenarios, including the lessons.
  static let vocabulary = {
    var vocabulary = Vocabulary.shipped
    vocabulary.lessons = brokenLessons.map(\.lesson.id).sorted()
    return vocabulary
  }()

  /// Replaces each folder with all scenarios in it and its subfolders, in alphabetical order. Skips names that begin
  /// with a dot.
  ///
  /// - Throws: a failure with code 4 if a folder contains no scenario, or if a path is not a readable file.
  static func expand(_ words: [String]) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for word in words { paths += try isFolder(word) ? scenarios(in: word) : [file(word)] }
    return paths
  }

  private static func scenarios(in folder: String) throws(CommandFailure) -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    // Foundation does not enumerate the contents of a folder through a symbolic link.
    let location = URL(filePath: folder).resolvingSymlinksInPath().path
    let names = (FileManager.default.enumerator(atPath: location)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".json") && !$0.hasSuffix(schemaName) }
      .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .filter { isFile(prefix + $0) || isLinkToNowhere(prefix + $0) }
    guard !names.isEmpty else { throw .cannotStart("\(folder): the folder contains no .json file") }
    return try names.sorted().map { (name) throws(CommandFailure) in try file(prefix + name) }
  }

  /// Returns the path of one scenario.
  ///
  /// - Throws: a failure with code 4 if the path is a broken link, or if reading it could block forever.
  static func file(_ path: String) throws(CommandFailure) -> String {
    if isLinkToNowhere(path) {
      throw .cannotStart("\(path): the file cannot be read: it is a broken link")
    }
    guard isFile(path) || !FileManager.default.fileExists(atPath: path) else {
      throw .cannotStart("\(path): the file cannot be read: it is not a regular file")
    }
    return path
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  private static func isFile(_ path: String) -> Bool {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  private static func isLinkToNowhere(_ path: String) -> Bool {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    return link != nil && !FileManager.default.fileExists(atPath: path)
  }
}

extension ScenarioFile {
  /// Reports the problems in the file, then returns its scenario.
  ///
  /// - Throws: a failure with code 3 if the file is invalid.
  func valid(_ notes: Output) throws(CommandFailure) -> Scenario {
    complain(to: notes)
    guard let scenario else { throw CommandFailure(code: .invalidScenario, message: nil) }
    return scenario
  }

  /// Reports the problems, if any, followed by an empty line.
  func complain(to notes: Output) {
    guard !diagnostics.isEmpty else { return }
    for line in DiagnosticReport(source: source, diagnostics: diagnostics).lines({
      notes.style($0 ? .yellow : .red, $1)
    }) { notes.line(line) }
    notes.line()
  }
}
