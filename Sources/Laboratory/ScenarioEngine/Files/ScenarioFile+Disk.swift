import FetcherModel
import Foundation
package import ScenarioFormat

/// Why a scenario file could not be read.
package struct UnreadableFile: Error, Equatable {
  /// The path and the reason, with another name if that is only a slip away.
  package let message: String
}

extension ScenarioFile {
  /// Reads the file at `path`, at most one byte more than a scenario may have. What is wrong inside is in ``diagnostics``.
  package init(path: String, vocabulary: Vocabulary = .shipped) throws(UnreadableFile) {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      let bytes = try handle.read(upToCount: SourceText.largest + 1) ?? Data()
      try handle.close()
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
      self.init(
        SourceText(path: path, bytes: Array(bytes)), name: Self.name(of: path), vocabulary: vocabulary,
        validateFile: { BodyFile(folder: folder, name: $0).problem })
    } catch {
      throw UnreadableFile(message: "\(path): the file cannot be read: \(Self.reason(error, path))")
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

  /// What the scenario in a file must be called: as the file, or as its folder where every file has the same name.
  private static func name(of path: String) -> String {
    let url = URL(filePath: path).standardizedFileURL
    let name = url.deletingPathExtension().lastPathComponent
    return name == "scenario" ? url.deletingLastPathComponent().lastPathComponent : name
  }
}

extension Vocabulary {
  /// The words that this engine knows.
  package static let shipped = ProgramRegistry.shipped.vocabulary(
    StrategyRegistry.standard().names.map(\.description))
}
