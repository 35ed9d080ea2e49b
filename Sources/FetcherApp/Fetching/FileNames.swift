import FetcherModel
import Foundation

/// The names under which the pictures of some addresses are written: decided before the first fetch, in the order of the addresses,
/// so that they do not depend on which answer comes first.
///
/// A name is the last part of the address, without what could lead out of the folder or move a terminal's cursor, and not longer
/// than a file system takes. Where it has no extension it gets that of the picture. One that is taken by an earlier address, or by a
/// file of the folder, gets `-2`, `-3` and so on.
struct FileNames: Sendable {
  /// What is done with a file that is in the folder already.
  enum Present: Sendable { case keepBoth, overwrite, skip }

  /// The name of one address.
  struct Name: Sendable, Equatable {
    fileprivate var stem: String
    /// With its dot; nil for that of the picture.
    fileprivate let ending: String?
    fileprivate var number = 1

    /// The file for a picture of some format.
    func file(_ format: ImageFormat) -> String { file(ending ?? ".\(format.rawValue)") }

    /// All files that it can become.
    fileprivate var possible: [String] {
      ending.map { [file($0)] } ?? ImageFormat.allCases.map { file(".\($0.rawValue)") }
    }

    /// `sunset.jpeg`, `sunset-2.jpeg`, `sunset-3.jpeg`.
    private func file(_ ending: String) -> String { stem + (number > 1 ? "-\(number)" : "") + ending }
  }

  let folder: URL
  let present: Present

  /// The longest name without its number and ending, and the longest ending, in bytes: file systems take 255 together.
  private static let longestStem = 200
  private static let longestEnding = 20

  /// The names for some addresses, in their order.
  func plan(_ urls: [String]) -> [Name] {
    var taken: Set<String> = []
    // Where the search for a free number begins, by name: thousands of addresses may end in the same word.
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

  /// The file of an address that is in the folder already.
  func existing(_ name: Name) -> URL? { name.possible.first(where: isThere).map { folder.appending(path: $0) } }

  /// Writes the bytes and returns the file.
  ///
  /// - Throws: what the system says, when the folder cannot be written.
  func write(_ picture: Picture, as name: Name) throws -> URL {
    var name = name
    while true {
      let file = folder.appending(path: name.file(picture.format))
      do {
        try FileWriter.shared.write(picture.bytes, to: file, replacing: present == .overwrite)
        return file
      } catch POSIXError.EEXIST where present != .overwrite {
        // It has come since the names were decided.
        name.number += 1
      }
    }
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  /// The name of an address that nobody else has.
  static func name(for url: String) -> Name {
    let last = URL(string: url)?.lastPathComponent ?? ""
    // By scalars: a slash with a combining mark is a slash in a path.
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
