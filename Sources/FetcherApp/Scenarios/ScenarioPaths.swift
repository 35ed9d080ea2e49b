import Foundation

/// The scenario files that the words of a command line stand for.
enum ScenarioPaths {
  /// The name of the file that describes scenarios and is none.
  static let schemaName = "scenario.schema.json"

  /// Each word itself, or where it is a folder, all scenarios in it and below it, in alphabetical order.
  ///
  /// - Throws: a failure with code 4 for a folder without any.
  static func expand(_ words: [String]) throws(CommandFailure) -> [String] {
    var paths: [String] = []
    for word in words {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), isFolder.boolValue else {
        paths.append(word)
        continue
      }
      let inside = (FileManager.default.enumerator(atPath: word)?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".json") && !$0.hasSuffix(schemaName) }
      guard !inside.isEmpty else { throw .cannotStart("\(word): the folder has no scenario, no .json file") }
      let prefix = word.hasSuffix("/") ? word : word + "/"
      paths += inside.sorted().map { prefix + $0 }
    }
    return paths
  }
}
