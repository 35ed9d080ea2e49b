import FetcherModel
import Foundation
import OriginServer
import ScenarioFormat

/// What the demo shows: a catalogue, the part that each picture plays, and how slowly the origin answers for it.
struct DemoPlan: Sendable {
  /// How many pictures the walk needs.
  static let parts = 4

  let catalogue: Catalogue
  /// The folder with the catalogue and its pictures.
  let folder: URL

  /// - Throws: a failure with code 4 that names the file, and the place in it.
  init(catalogue file: URL) throws(CommandFailure) {
    folder = file.deletingLastPathComponent()
    do {
      catalogue = try Catalogue(contentsOf: file)
    } catch {
      throw .cannotStart("\(file.path): \(error)")
    }
    guard catalogue.entries.count >= Self.parts else {
      throw .cannotStart(
        "\(file.path): the demo needs \(Self.parts) pictures, the catalogue has \(catalogue.entries.count)")
    }
  }

  /// The rows of the list: the catalogue, and one more whose first answer is an error.
  func images(base: URL, in environment: FetchEnvironment) -> [IFImage] {
    catalogue.images(base: base, in: environment)
      + [IFImage("Lost letter", base.appending(path: Self.lostPath).absoluteString, in: environment)]
  }

  /// What the origin serves: slow pictures, so that a person could act in between, and one address that fails once.
  func content(for images: [IFImage]) -> OriginContent {
    let latencies: [Duration] = [.milliseconds(150), .milliseconds(400), .milliseconds(80), .milliseconds(200)]
    var routes = zip(images, latencies).compactMap { image, latency -> OriginRoute? in
      guard let path = Self.path(of: image) else { return nil }
      let file = folder.appending(path: String(path.dropFirst()))
      guard FileManager.default.isReadableFile(atPath: file.path) else { return nil }
      return OriginRoute(path: path, OriginResponse(body: .file(file), latency: latency))
    }
    let missing = OriginResponse(
      status: 404, headers: [("Content-Type", "text/html")], body: .text("<h1>Not here</h1>"),
      latency: .milliseconds(60))
    if let replacement = routes.first?.responses.first {
      routes.append(OriginRoute(path: "/" + Self.lostPath, responses: [missing, replacement]))
    }
    return OriginContent(directory: folder, routes: routes)
  }

  /// The path under which the origin counts the requests for an image.
  static func path(of image: IFImage) -> String? {
    URL(string: image.url)?.path(percentEncoded: false)
  }

  private static let lostPath = "lost-letter.jpeg"
}
