import Foundation

/// A scenario file: its text, what it says, and what is wrong with it.
struct ScenarioFile: Sendable {
  let source: SourceText
  /// Nil if the file is invalid.
  let scenario: Scenario?
  /// In the order of the file; warnings only if there is a scenario.
  let diagnostics: [Diagnostic]

  /// Reads the file at `path`, at most one byte more than a scenario may have.
  ///
  /// - Throws: a failure with code 4 if it cannot be read. What is wrong inside is in ``diagnostics``.
  init(path: String, vocabulary: Vocabulary = .shipped) throws(CommandFailure) {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      let bytes = try handle.read(upToCount: SourceText.largest + 1) ?? Data()
      try handle.close()
      let source = SourceText(path: path, bytes: Array(bytes))
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
      self.init(source, name: Self.name(of: path), folder: folder, vocabulary: vocabulary)
    } catch {
      throw .cannotStart("\(path): the file cannot be read: \(Self.reason(error, path))")
    }
  }

  /// Why a file cannot be read, with the name of another one if that is only a slip away.
  private static func reason(_ error: any Error, _ path: String) -> String {
    guard !FileManager.default.fileExists(atPath: path) else { return FileFailure.reason(error) }
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent().path
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    let hint = Spelling.hint(for: file.lastPathComponent, among: names.sorted()).map { "; \($0)" } ?? ""
    return "there is no such file" + hint
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - name: what the scenario must be called; nil for anything.
  ///   - folder: what comes before the names of the files it speaks of; nil if nobody looks for them.
  init(_ source: SourceText, name: String? = nil, folder: String? = nil, vocabulary: Vocabulary = .shipped) {
    var diagnostics = Diagnostics()
    let root = JSONParser.parse(source, &diagnostics)
    var reading = Reading(diagnostics, vocabulary, name: name, folder: folder)
    let scenario = root.flatMap { ScenarioForm.scenario.read($0, &reading) }
    self.source = source
    self.scenario = reading.diagnostics.hasErrors ? nil : scenario
    self.diagnostics = reading.diagnostics.all
  }

  /// What the scenario in a file must be called: as the file, or as its folder where every file has the same name.
  private static func name(of path: String) -> String {
    let url = URL(filePath: path).standardizedFileURL
    let name = url.deletingPathExtension().lastPathComponent
    return name == "scenario" ? url.deletingLastPathComponent().lastPathComponent : name
  }
}
