import Foundation
import ScenarioFormat

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
