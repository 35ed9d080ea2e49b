import FetcherModel
import Foundation
package import ScenarioFormat

/// Why a scenario file could not be read.
package struct UnreadableFile: Error, Equatable {
  /// The path and the reason, with another name if that is only a slip away.
  package let message: String
}

extension ScenarioFile {
  /// Reads the file at `path`, at most one byte more than a scenario may have. What is wrong inside is in
  /// ``diagnostics``.
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

/// A file that an answer consists of.
struct BodyFile {
  /// The largest body, in bytes: that of the other kinds of bodies as well.
  private static let largest = 64 << 20

  /// What the path of the scenario has before its name: nothing, or something that ends in a slash.
  let folder: String
  let name: String
  private var path: String { folder + name }
  /// The path in quotes, whole: its end matters most.
  private var shown: String { "\"\(visible(path))\"" }

  /// Why the file cannot be served, and what to do; nil if it can.
  var problem: FileProblem? {
    let file = URL(filePath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file) else {
      return FileProblem(message: "there is no file \(shown)", advice: hint)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      return FileProblem(message: "\(shown) is no file with content", advice: "name a file")
    }
    let home = URL(filePath: folder.isEmpty ? "." : folder).resolvingSymlinksInPath().path
    guard file.utf8.starts(with: (home.hasSuffix("/") ? home : home + "/").utf8) else {
      return FileProblem(
        message: "\(shown) is a link that leads out of the scenario's folder", advice: "put a copy instead")
    }
    guard FileManager.default.isReadableFile(atPath: file) else {
      return FileProblem(message: "the file \(shown) cannot be read", advice: "change its permissions")
    }
    guard let size = attributes[.size] as? Int, size <= Self.largest else {
      return FileProblem(message: "the file \(shown) has more than 64 MiB", advice: "choose a smaller one")
    }
    return nil
  }

  /// Another name, if that is only a slip away.
  private var hint: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return Spelling.hint(for: name, among: names.sorted()) ?? "names begin in the folder of the scenario"
  }
}

/// Why a file or a folder could not be read or written.
package enum FileFailure {
  /// The reason in the words of the system, because those of Foundation are often no more than a number.
  package static func reason(_ error: any Error) -> String {
    let error = error as NSError
    // On Linux the cause may be a `POSIXError`, which is no `NSError` until it is asked to be one.
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }

  /// The same for a file that was to be written, with what is to be done where that is known.
  package static func reason(_ error: any Error, writing path: String) -> String {
    let folder = URL(filePath: path).deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else { return "make the folder \(folder.path) first" }
    return reason(error)
  }
}
