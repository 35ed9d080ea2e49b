import FetcherModel
import Foundation

/// Chooses the file names for the pictures from several URLs. All names are chosen before the first fetch, in the order
/// of the URLs, so they do not depend on the order of the responses.
///
/// A name is the last path component of the URL, without characters that could escape the folder or control a terminal.
/// It respects the length limits of file systems. A name without an extension gets the picture's extension. If an
/// earlier URL or an existing file has the same name, `-2`, `-3` and so on are appended.
struct FileNames: Sendable {
  /// The policy for a file that already exists.
  enum Present: Sendable { case keepBoth, overwrite, skip }

  /// The file name for one URL.
  struct Name: Sendable, Equatable {
    fileprivate var stem: String
    /// The extension with its dot, or nil to use the picture's extension.
    fileprivate let ending: String?
    fileprivate var number = 1

    /// Returns the file name for a picture format.
    func file(_ format: ImageFormat) -> String { file(ending ?? ".\(format.rawValue)") }

    /// All possible file names for the URL.
    fileprivate var possible: [String] {
      ending.map { [file($0)] } ?? ImageFormat.allCases.map { file(".\($0.rawValue)") }
    }

    /// Returns the name with its number, such as `sunset.jpeg`, `sunset-2.jpeg` or `sunset-3.jpeg`.
    private func file(_ ending: String) -> String { stem + (number > 1 ? "-\(number)" : "") + ending }
  }

  let folder: URL
  let present: Present

  /// The maximum length of a name in bytes, without its number and extension. File systems allow 255 bytes for a
  /// complete name.
  private static let longestStem = 200
  private static let longestEnding = 20

  /// Returns the names for the URLs, in the same order.
  func plan(_ urls: [String]) -> [Name] {
    var taken: Set<String> = []
    // The next free number for each name. Thousands of URLs can end in the same component, so counting from 1 for each
    // URL would be slow.
    var next: [String: Int] = [:]
    return urls.map { url in
      var name = Self.name(for: url)
      let plain = name.possible[0]
      name.number = next[plain] ?? 1
      while name.possible.contains(where: { taken.contains($0) || present == .keepBoth && isThere($0) }) {
        name.number += 1
      }
      next[plain] = name.number + 1
      taken.formUnion(name.possible)
      return name
    }
  }

  /// Returns the existing file for a name, if there is one.
  func existing(_ name: Name) -> URL? { name.possible.first(where: isThere).map { folder.appending(path: $0) } }

  /// Writes the bytes and returns the file.
  ///
  /// - Throws: the system's error if the file cannot be written.
  func write(_ picture: Picture, as name: Name) throws -> URL {
    var name = name
    while true {
      let file = folder.appending(path: name.file(picture.format))
      do {
        try FileWriter.shared.write(picture.bytes, to: file, replacing: present == .overwrite)
        return file
      } catch POSIXError.EEXIST where present != .overwrite {
        // Another file has taken the name since it was chosen.
        name.number += 1
      }
    }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  /// Returns the name for a URL, without a number.
  static func name(for url: String) -> Name {
    let last = URL(string: url)?.lastPathComponent ?? ""
    // Examine scalars, not characters, because a slash with a combining mark is still a path separator.
    let scalars = last.unicodeScalars.map { isSafe($0) ? $0 : "_" }.drop { $0 == "." }
    let safe = String(String.UnicodeScalarView(scalars))
    guard !safe.isEmpty, last != "/" else { return Name(stem: "picture", ending: nil) }
    guard let dot = safe.lastIndex(of: "."), safe[dot...].utf8.count <= longestEnding else {
      return Name(stem: cut(safe), ending: nil)
    }
    return Name(stem: cut(String(safe[..<dot])), ending: String(safe[dot...]))
  }

  private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: !"/\\:".unicodeScalars.contains(scalar)
    }
  }

  private static func cut(_ stem: String) -> String {
    var stem = stem
    while stem.utf8.count > longestStem { stem.unicodeScalars.removeLast() }
    return stem
  }
}
