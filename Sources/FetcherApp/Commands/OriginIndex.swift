import Foundation
import OriginServer

/// What `fetcher origin` answers at `/`: a list of what it serves, as plain text.
enum OriginIndex {
  /// A list of these lines.
  static func route(_ lines: [String]) -> OriginRoute { OriginRoute(path: "/") { _, _ in response(lines) } }

  /// The list of the files of a folder, read anew for each request; none where the folder has a page of its own.
  static func routes(of folder: URL) -> [OriginRoute] {
    guard !FileManager.default.fileExists(atPath: folder.appending(path: "index.html").path) else { return [] }
    return [OriginRoute(path: "/") { _, _ in response(paths(in: folder)) }]
  }

  private static func paths(in folder: URL) -> [String] {
    // Foundation does not look into a folder that is given as a link.
    let location = folder.resolvingSymlinksInPath()
    let names = FileManager.default.enumerator(atPath: location.path)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: location.appending(path: name).path, isDirectory: &isFolder)
      return exists && !isFolder.boolValue && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted().map { "/" + $0 }
  }

  private static func response(_ lines: [String]) -> OriginResponse {
    OriginResponse(
      headers: [("Content-Type", "text/plain; charset=utf-8")], body: .text(lines.map { $0 + "\n" }.joined()))
  }
}
