import FetcherModel
package import Foundation
import PlainText
package import ScenarioFormat

/// The reason why a scenario file could not be read.
package struct UnreadableFile: Error, Equatable {
  /// The path and the reason, together with a similar file name if there is one.
  package let message: String
}

extension ScenarioFile {
  /// Reads the file at `path`, up to one byte more than the maximum size of a scenario. ``diagnostics`` lists the
  /// mistakes in its content.
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
      throw UnreadableFile(message: "\(path): \(Self.reason(error, path))")
    }
  }

  /// The reason why a file in a folder cannot be served as the body of a response, or nil.
  package static func problem(ofFile name: String, in folder: URL) -> FileProblem? {
    BodyFile(folder: folder.path.hasSuffix("/") ? folder.path : folder.path + "/", name: name).problem
  }

  /// The reason why a file cannot be read, together with a similar file name if there is one.
  private static func reason(_ error: any Error, _ path: String) -> String {
    guard !FileManager.default.fileExists(atPath: path) else {
      return "the file cannot be read: \(FileFailure.reason(error))"
    }
    let file = URL(filePath: path)
    let folder = file.deletingLastPathComponent().path
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".json") }
    let whole = file.lastPathComponent + ".json"
    let hint =
      names.contains(whole)
      ? Spelling.question(whole) : Spelling.hint(for: file.lastPathComponent, among: names.sorted())
    return "the file does not exist; \(hint ?? "check the path")"
  }

  /// The name that the scenario in a file must have. This is the file's name, or, if the file is named `scenario`, the
  /// folder's name.
  private static func name(of path: String) -> String {
    let url = URL(filePath: path).standardizedFileURL
    let name = url.deletingPathExtension().lastPathComponent
    return name == "scenario" ? url.deletingLastPathComponent().lastPathComponent : name
  }
}

extension Vocabulary {
  /// The names of the programs and strategies that ship with this engine.
  package static let shipped = ProgramRegistry.shipped.vocabulary(LaboratoryStrategies.names)
}

/// A file that serves as the body of a response.
struct BodyFile {
  /// The maximum size of a body of any kind, in bytes.
  private static let largest = 64 << 20

  /// The folder part of the scenario's path, either empty or with a trailing slash.
  let folder: String
  let name: String
  private var path: String { folder + name }
  /// The complete path in quotes. It is not shortened, because its end matters most.
  private var shown: String { "\"\(visible(path))\"" }

  /// The reason why the file cannot be served and how to resolve it, or nil if the file can be served.
  var problem: FileProblem? {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
      return FileProblem(message: "the file \(shown) does not exist", advice: hint)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      return FileProblem(message: "\(shown) is not a regular file", advice: "name a file")
    }
    let home = URL(filePath: folder.isEmpty ? "." : folder).resolvingSymlinksInPath().path
    guard file.utf8.starts(with: (home.hasSuffix("/") ? home : home + "/").utf8) else {
      return FileProblem(
        message: "\(shown) is a link that points outside the scenario's folder", advice: "replace it with a copy")
    }
    guard FileManager.default.isReadableFile(atPath: file) else {
      return FileProblem(message: "the file \(shown) cannot be read", advice: "change its permissions")
    }
    guard let size = attributes[.size] as? Int, size <= Self.largest else {
      return FileProblem(message: "the file \(shown) is larger than 64 MiB", advice: "choose a smaller one")
    }
    return nil
  }

  /// A hint with a similar file name, or else a general hint.
  private var hint: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return Spelling.hint(for: name, among: names.sorted()) ?? "file names are relative to the scenario's folder"
  }
}
