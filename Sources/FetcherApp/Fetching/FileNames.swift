import FetcherModel
import Foundation

/// The file names for the pictures of several addresses. They are decided in address order before the first fetch, so
/// they do not depend on the order of the responses.
///
/// A name is the last path component of the address. It omits characters that could leave the folder or control a
/// terminal, and it fits the limits of a file system. A name without an extension gets the extension of the picture. If
/// an earlier address or an existing file has the same name, `-2`, `-3` and so on follow.
struct FileNames: Sendable {
  /// The treatment of an existing file.
  enum Present: Sendable { case keepBoth, overwrite, skip }

  /// The file name of one address.
  struct Name: Sendable, Equatable {
    fileprivate var stem: String
    /// The extension with its dot, or nil to use that of the picture.
    fileprivate let ending: String?
    fileprivate var number = 1

    /// Returns the file name for a picture format.
    func file(_ format: ImageFormat) -> String { file(ending ?? ".\(format.rawValue)") }

    /// All file names that the address can get.
    fileprivate var possible: [String] {
      ending.map { [file($0)] } ?? ImageFormat.allCases.map { file(".\($0.rawValue)") }
    }

    /// `sunset.jpeg`, `sunset-2.jpeg`, `sunset-3.jpeg`.
    private func file(_ ending: String) -> String { stem + (number > 1 ? "-\(number)" : "") + ending }
  }

  let folder: URL
  let present: Present

  /// The maximum length of a name without its number and extension. Together with the extension, a file system allows
  /// 255 bytes.
  private static let longestStem = 200
  private static let longestEnding = 20

  /// Returns the names for addresses, in their order.
  func plan(_ urls: [String]) -> [Name] {
    var taken: Set<String> = []
    // The next free number per name, because thousands of addresses may end in the same component.
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

  /// Returns the existing file of an address, if any.
  func existing(_ name: Name) -> URL? { name.possible.first(where: isThere).map { folder.appending(path: $0) } }

  /// Writes the bytes and returns the file.
  ///
  /// - Throws: the system's error if the folder is not writable.
  func write(_ picture: Picture, as name: Name) throws -> URL {
    var name = name
    while true {
      let file = folder.appending(path: name.file(picture.format))
      do {
        try FileWriter.shared.write(picture.bytes, to: file, replacing: present == .overwrite)
        return file
      } catch POSIXError.EEXIST where present != .overwrite {
        // Another file has taken the name since it was decided.
        name.number += 1
      }
    }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  /// Returns the plain name of an address, before numbering.
  static func name(for url: String) -> Name {
    let last = URL(string: url)?.lastPathComponent ?? ""
    // Scalars, not characters: a slash with a combining mark is still a path separator.
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
