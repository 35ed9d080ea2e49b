import Foundation
import ScenarioFormat

/// The images and responses of a program without files, so that a recorded session consists of one file. Generated
/// pictures of the same size in bytes replace the pictures.
struct PortableOrigin {
  private(set) var images: JSONValue = []
  private(set) var origin: JSONValue
  private let folder: URL
  private let paths: Set<String>

  init(_ program: LiveProgram) {
    folder = program.folder
    origin = program.json["origin"] ?? [:]
    let (all, routes) = (program.json["images"]?.elements ?? [], origin["routes"]?.elements ?? [])
    paths = Set(all.compactMap { $0["path"]?.text })
    images = .list(
      all.map { image in
        let responses = routes.first { $0["path"] == image["path"] }?["responses"]?.elements ?? []
        guard let size = responses.lazy.compactMap(file).first.flatMap(size) else { return image }
        let side = max(1, Int((Double(size) / 3).squareRoot()))
        var image = image
        image["size"] = .string("\(side)x\(side)")
        return image
      })
    origin["routes"] = .list(routes.map(step))
  }

  /// Returns a step or a route whose responses contain no file.
  func step(_ json: JSONValue) -> JSONValue {
    guard let responses = json["responses"]?.elements else { return json }
    let isPicture = paths.contains(json["path"]?.text ?? "")
    var json = json
    json["responses"] = .list(
      responses.map { response in
        guard let file = file(response) else { return response }
        var response = response
        response["body"] = isPicture ? nil : body(file)
        return response
      })
    return json
  }

  private func file(_ response: JSONValue) -> String? { response["body"]?["file"]?.text }

  private func body(_ file: String) -> JSONValue {
    if file.hasSuffix(".json"), let data = try? Data(contentsOf: folder.appending(path: file)),
      let value = JSONValue(SourceText(path: file, bytes: Array(data)))
    {
      return ["json": value]
    }
    return ["bytes": .integer(size(file) ?? 0)]
  }

  private func size(_ file: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path))?[.size] as? Int
  }
}
