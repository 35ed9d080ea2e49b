import CommandLineTool
import FetcherModel
import Foundation

/// Chooses the file names for the pictures from several URLs. All names are chosen before the first fetch, in the order
/// of the URLs, so they do not depend on the order of the responses.
///
/// A name is the last path component of the URL, without characters that could escape the folder or control a terminal.
/// It respects the length limits of file systems. A name without an extension gets the picture's extension. If an
/// earlier URL or an existing file has the same name, `-2`, `-3` and so on are appended.
///
/// To skip the URLs whose files exist, the names are compared with the marks of the existing files. A file with the mark
/// of another URL is treated like any other file of the same name. A file without a mark is assumed to be the URL's file.
struct FileNames: Sendable {
  /// The policy for a file that already exists.
  enum Present: Sendable { case keepBoth, overwrite, skip }

  /// The file name for one URL.
  struct Name: Sendable, Equatable {
    fileprivate var stem: String
    /// The extension with its dot, or nil to use the picture's extension.
    fileprivate let ending: String?
    fileprivate var number = 1
    /// The URL's existing file, if it must be skipped.
    fileprivate(set) var existing: String?
    /// Whether the existing file has no mark, so it may be the file of another URL.
    fileprivate(set) var isUnmarked = false

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
    let marked = present == .skip ? markedFiles(for: urls) : [:]
    let others = Set(marked.values.joined())
    var taken: Set<String> = []
    // The next free number for each name. Thousands of URLs can end in the same component, so counting from 1 for each
    // URL would be slow.
    var next: [String: Int] = [:]
    return urls.map { url in
      var name = Self.name(for: url)
      name.existing = marked[AddressMark(url)]?.first
      guard name.existing == nil else { return name }
      let plain = name.possible[0]
      name.number = next[plain] ?? 1
      while name.possible.contains(where: { taken.contains($0) || others.contains($0) || isTaken($0) }) {
        name.number += 1
      }
      next[plain] = name.number + 1
      taken.formUnion(name.possible)
      if present == .skip { name.existing = name.possible.first { kind($0) != nil } }
      name.isUnmarked = name.existing != nil
      return name
    }
  }

  /// Returns the existing file for a name, if it must be skipped.
  func existing(_ name: Name) -> URL? { name.existing.map { folder.appending(path: $0) } }

  /// Writes the bytes and returns the file.
  ///
  /// - Throws: the system's error if the file cannot be written.
  func write(_ picture: Picture, from url: String, as name: Name) throws -> URL {
    var name = name
    while true {
      let file = folder.appending(path: name.file(picture.format))
      do {
        try FileWriter.shared.write(
          picture.bytes, to: file, replacing: present == .overwrite, preparing: AddressMark(url).write(to:))
        return file
      } catch POSIXError.EEXIST where present != .overwrite {
        // Another file has taken the name since it was chosen.
        name.number += 1
      }
    }
  }

  /// Returns whether something exists at a name that is not the file of a URL with this name.
  private func isTaken(_ name: String) -> Bool {
    switch present {
    case .overwrite: false
    case .keepBoth: kind(name) != nil
    case .skip: kind(name).map { $0 != S_IFREG } ?? false
    }
  }

  /// Returns the kind of object at a name as in `st_mode`, or nil if nothing exists there.
  private func kind(_ name: String) -> mode_t? {
    var status = stat()
    return stat(folder.appending(path: name).path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Returns the names of the marked files that URLs with these names can have, by their marks.
  private func markedFiles(for urls: [String]) -> [AddressMark: [String]] {
    let stems = Set(urls.map { Self.name(for: $0).stem })
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var marked: [AddressMark: [String]] = [:]
    for file in names.sorted() where Self.possibleStems(of: file).contains(where: stems.contains) {
      guard kind(file) == S_IFREG, let mark = AddressMark(of: folder.appending(path: file).path) else { continue }
      marked[mark, default: []].append(file)
    }
    return marked
  }

  /// Returns the stems of all names that can result in a file name, with and without a number.
  private static func possibleStems(of file: String) -> [String] {
    let name = file[..<(file.lastIndex(of: ".") ?? file.endIndex)]
    return [String(name), String(name[..<(name.lastIndex(of: "-") ?? name.endIndex)])]
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
