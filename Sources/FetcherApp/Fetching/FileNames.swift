import FetcherModel
import Foundation

/// Writes pictures into a folder under names of their own, and never over a file that is there.
struct FileNames: Sendable {
  let folder: URL

  /// Writes the bytes and returns the file.
  ///
  /// - Throws: what the system says, when the folder cannot be written.
  func write(_ picture: Picture, from url: String) throws -> URL {
    let base = Self.name(for: url, picture.format)
    var number = 1
    while true {
      let file = folder.appending(path: Self.numbered(base, number))
      do {
        try picture.bytes.write(to: file, options: .withoutOverwriting)
        return file
      } catch let error as CocoaError where error.code == .fileWriteFileExists {
        number += 1
      }
    }
  }

  /// The last part of the address without anything that could lead out of the folder, with an extension.
  static func name(for url: String, _ format: ImageFormat) -> String {
    let last = URL(string: url)?.lastPathComponent ?? ""
    // By scalars: a slash with a combining mark is a slash in a path.
    let scalars = last.unicodeScalars.map { "/\\:\0".unicodeScalars.contains($0) ? "_" : $0 }.drop { $0 == "." }
    let safe = String(String.UnicodeScalarView(scalars))
    let stem = safe.isEmpty || last == "/" ? "picture" : safe
    return stem.contains(".") ? stem : "\(stem).\(format.rawValue)"
  }

  /// `sunset.jpeg`, `sunset-2.jpeg`, `sunset-3.jpeg`.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
