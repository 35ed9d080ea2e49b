import Foundation

/// The examples of the documentation. Tests compile and run their code, which is between the lines `// snippet` and
/// `// end`. Folders are relative to the package.
public enum ExamplePages {
  /// Returns the Swift examples on the pages and in the comments of a folder.
  public static func shown(in folder: String) throws -> [String] {
    try texts(in: folder, "md").flatMap { blocks(in: $0) }
      + texts(in: folder, "swift").flatMap { blocks(inComments: $0) }
  }

  /// Returns the snippets of the tests in a folder.
  public static func compiled(in folder: String) throws -> [String] {
    try texts(in: folder, "swift").flatMap { snippets(in: $0) }
  }

  /// Returns the contents of the files with an extension.
  public static func texts(in folder: String, _ kind: String) throws -> [String] {
    let files = FileManager.default.enumerator(
      at: packageRoot.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == kind }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Returns the blocks of a page in a language.
  public static func blocks(in page: String, _ language: String = "swift") -> [String] {
    sections(of: page.components(separatedBy: "\n"), from: "```\(language)", to: "```")
  }

  /// Returns the Swift blocks of the comments in code.
  public static func blocks(inComments code: String) -> [String] {
    let lines = code.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return sections(
      of: lines.filter { $0.hasPrefix("///") }.map { String($0.dropFirst($0.hasPrefix("/// ") ? 4 : 3)) },
      from: "```swift", to: "```")
  }

  /// Returns the snippets of a test, without the indentation that all their lines have.
  public static func snippets(in code: String) -> [String] {
    sections(of: code.components(separatedBy: "\n"), from: "// snippet", to: "// end")
  }

  private static func sections(of lines: [String], from start: String, to end: String) -> [String] {
    var found: [String] = []
    var section: [String]?
    for line in lines {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let complete = section, trimmed == end {
        found.append(unindented(complete))
        section = nil
      } else if section != nil {
        section?.append(line)
      } else if trimmed == start {
        section = []
      }
    }
    return found
  }

  private static func unindented(_ lines: [String]) -> String {
    let depth = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}
